"""An ONNX graph that is being rewritten: who makes and who uses each value, constants, new nodes, and what is dead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from onnx import helper, numpy_helper

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onnx import GraphProto, ModelProto, NodeProto


class GraphEditor:
    """Rewrites the graph of `model` in place.

    Node order does not matter while editing, and what has been replaced still counts as a user: `finish` drops
    what no output needs and sorts the rest. It is called after each rewrite.
    """

    def __init__(self, model: ModelProto) -> None:
        self.graph: GraphProto = model.graph
        self._constants = {tensor.name: tensor for tensor in model.graph.initializer}
        self._names = 0
        self._read(model.graph.node)

    def nodes(self, kind: str) -> list[NodeProto]:
        """Return the nodes of one operator type, as they are now."""
        return [node for node in self._nodes if node.op_type == kind]

    def maker(self, name: str, kind: str) -> NodeProto | None:
        """Return the node that makes a value, if it is of this type."""
        node = self._makers.get(name)
        return node if node is not None and node.op_type == kind else None

    def users(self, name: str, kind: str | None = None) -> list[NodeProto]:
        """Return the nodes that use a value, of one type or of any."""
        return [node for node in self._users.get(name, ()) if kind in {None, node.op_type}]

    def only_user(self, name: str, kind: str) -> NodeProto | None:
        """Return the one node that uses a value, if there is just one and it is of this type."""
        users = self._users.get(name, ())
        return users[0] if len(users) == 1 and users[0].op_type == kind else None

    def constant(self, name: str) -> np.ndarray[Any, Any] | None:
        """Return a constant's array, or None when the value is computed."""
        tensor = self._constants.get(name)
        return None if tensor is None else numpy_helper.to_array(tensor)

    def add_constant(self, array: np.ndarray[Any, Any]) -> str:
        """Add a constant and return its name. Small ones are shared."""
        key = f"tympan/{array.dtype}{array.shape}{array.ravel().tolist()}" if array.size <= 8 else self._fresh("const")  # noqa: PLR2004  (a name, not a dump)
        if key not in self._constants:
            self._constants[key] = numpy_helper.from_array(np.ascontiguousarray(array), key)
        return key

    def add(self, kind: str, inputs: Sequence[str], **attributes: Any) -> str:
        """Add a node and return the name of its output."""
        name = self._fresh(kind)
        self.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def add_like(self, node: NodeProto, inputs: Sequence[str]) -> str:
        """Add a node of the same type and attributes with other inputs and return the name of its output."""
        name = self._fresh(node.op_type)
        copy = helper.make_node(node.op_type, list(inputs), [name], name=name, domain=node.domain)
        copy.attribute.extend(node.attribute)
        self.append(copy)
        return name

    def append(self, node: NodeProto) -> None:
        """Add a node that names its own outputs."""
        self._nodes.append(node)
        self._makers.update(dict.fromkeys(node.output, node))
        self._link(node)

    def replace(self, old: str, new: str) -> None:
        """Let all that uses `old` use `new`; `old` must not be an output of the graph."""
        for node in self._users.pop(old, []):
            for index, name in enumerate(node.input):
                if name == old:
                    node.input[index] = new
            self._users.setdefault(new, []).append(node)

    def finish(self) -> None:
        """Write the nodes that the outputs need, in an order in which each comes after what it uses."""
        ordered: list[NodeProto] = []
        done = {value.name for value in self.graph.input} | set(self._constants) | {""}
        pending = [self._makers[value.name] for value in reversed(self.graph.output)]
        while pending:
            node = pending[-1]
            missing = [name for name in node.input if name not in done]
            if missing:
                pending += [self._makers[name] for name in missing]
                continue
            pending.pop()
            if node.output[0] not in done:
                ordered.append(node)
                done.update(node.output)
        used = {name for node in ordered for name in node.input}
        self._constants = {name: tensor for name, tensor in self._constants.items() if name in used}
        del self.graph.node[:], self.graph.value_info[:], self.graph.initializer[:]
        self.graph.node.extend(ordered)
        self.graph.initializer.extend(self._constants.values())
        self._read(self.graph.node)

    def _read(self, nodes: Sequence[NodeProto]) -> None:
        self._nodes = list(nodes)
        self._makers = {name: node for node in self._nodes for name in node.output if name}
        self._users: dict[str, list[NodeProto]] = {}
        for node in self._nodes:
            self._link(node)

    def _fresh(self, kind: str) -> str:
        self._names += 1
        return f"tympan/{kind}_{self._names}"

    def _link(self, node: NodeProto) -> None:
        for name in dict.fromkeys(node.input):
            if name:
                self._users.setdefault(name, []).append(node)


def attribute(node: NodeProto, name: str, default: Any = None) -> Any:
    """Return a node's attribute, or the default."""
    for entry in node.attribute:
        if entry.name == name:
            return helper.get_attribute_value(entry)
    return default
