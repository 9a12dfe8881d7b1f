"""Whether the process lives, whether it can serve, its metrics, and a greeting."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

import tympan
from tympan.api.metrics import MEDIA_TYPE

if TYPE_CHECKING:
    from tympan.api.services import Services


def health_router(services: Services) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["service"])

    @router.head("/livez", include_in_schema=False)
    @router.get("/livez", summary="The process lives")
    async def livez() -> Response:
        return JSONResponse({"status": "ok"})

    @router.head("/healthz", include_in_schema=False)
    @router.get("/healthz", summary="Requests can be served; 503 says what is missing")
    async def healthz() -> Response:
        state = services.readiness()
        if state.ready:
            return JSONResponse({"status": "ok"})
        return JSONResponse(
            {"status": "unavailable", "reason": state.reason, "waiting": dict(state.waiting)},
            status_code=HTTPStatus.SERVICE_UNAVAILABLE,
            headers={"cache-control": "no-store"},
        )

    @router.get("/metrics", summary="Prometheus metrics")
    async def metrics() -> Response:
        text = await asyncio.get_running_loop().run_in_executor(services.side, services.metrics.write)
        return Response(text, media_type=MEDIA_TYPE)

    @router.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    @router.api_route("/v1", methods=["GET", "HEAD"], include_in_schema=False)
    @router.api_route("/v1/", methods=["GET", "HEAD"], include_in_schema=False)
    async def greeting() -> Response:
        return JSONResponse({"name": "tympan", "version": tympan.__version__, "openapi": "/openapi.json"})

    return router
