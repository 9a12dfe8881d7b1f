"""The models, in OpenAI's shape and in the one Open WebUI asks for; aliases are listed as ids of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from fastapi import APIRouter

from tympan.api.wire import Model, ModelList  # noqa: TC001  (FastAPI reads the annotations)
from tympan.errors import UnknownModel

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tympan.model_card import ModelCard


class HasModels(Protocol):
    """A job, as far as it is asked here."""

    def models(self) -> Sequence[ModelCard]:
        """Return the models that answer."""
        ...


def models_router(jobs: Sequence[HasModels]) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["models"])

    def named_cards() -> Iterator[tuple[str, ModelCard]]:
        return ((name, card) for job in jobs for card in job.models() for name in (card.id, *card.aliases))

    @router.get("/v1/models", summary="All models")
    async def list_models() -> ModelList:
        return {"object": "list", "data": [_wire(card, name) for name, card in named_cards()]}

    @router.get("/v1/audio/models", summary="All models, as Open WebUI asks for them")
    async def list_audio_models() -> dict[str, list[dict[str, str]]]:
        return {"models": [{"id": name} for name, _ in named_cards()]}

    @router.get("/v1/models/{model:path}", summary="One model")
    async def get_model(model: str) -> Model:
        card = dict(named_cards()).get(model)
        if card is None:
            raise UnknownModel(model)
        return _wire(card, model)

    return router


def _wire(card: ModelCard, name: str) -> Model:
    return {
        "id": name,
        "object": "model",
        "created": card.created,
        "owned_by": card.owned_by,
        "shutdown_date": None,
    }
