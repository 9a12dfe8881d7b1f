"""The models, in OpenAI's shape and in the one Open WebUI asks for; aliases are listed as ids of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter

from tympan.api.wire import Model, ModelList  # noqa: TC001  (FastAPI reads the annotations)

if TYPE_CHECKING:
    from tympan.listen.results import Listener
    from tympan.model_card import ModelCard


def models_router(listener: Listener) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["models"])

    @router.get("/v1/models", summary="All models")
    async def list_models() -> ModelList:
        return {"object": "list", "data": [_wire(card, name) for card in listener.models() for name in _ids(card)]}

    @router.get("/v1/audio/models", summary="All models, as Open WebUI asks for them")
    async def list_audio_models() -> dict[str, list[dict[str, str]]]:
        return {"models": [{"id": name} for card in listener.models() for name in _ids(card)]}

    @router.get("/v1/models/{model:path}", summary="One model")
    async def get_model(model: str) -> Model:
        target = listener.resolve(model)  # raises UnknownModel
        return _wire(next(card for card in listener.models() if card.id == target), model)

    return router


def _ids(card: ModelCard) -> list[str]:
    return [card.id, *card.aliases]


def _wire(card: ModelCard, name: str) -> Model:
    return {
        "id": name,
        "object": "model",
        "created": card.created,
        "owned_by": card.owned_by,
        "shutdown_date": None,
    }
