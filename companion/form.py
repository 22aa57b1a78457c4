"""Forms: several questions that are open at once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from companion.question import Question, Refusal

T = TypeVar("T")
K = TypeVar("K")


@dataclass(slots=True, eq=False)
class Form(Generic[K, T]):
    """Questions that are open at once; until it closes each may be revised or taken back.

    It closes when every question without a lapse is answered, or when `until` says that the
    answers given so far (by K) are enough; those left lapse. `check` then judges all together.
    """

    questions: Mapping[K, Question[T]]
    check: Callable[[Mapping[K, T]], Refusal | None] | None = None
    until: Callable[[Mapping[K, T]], bool] | None = None

    def __await__(self) -> Generator[Any, Any, dict[K, T]]:
        values: dict[K, T] = yield self
        return values


async def together(
    questions: Mapping[K, Question[T]],
    check: Callable[[Mapping[K, T]], Refusal | None] | None = None,
    until: Callable[[Mapping[K, T]], bool] | None = None,
) -> dict[K, T]:
    """Ask several seats at once; answers by the same names. An empty form asks nobody."""
    return await Form(questions, check, until) if questions else {}
