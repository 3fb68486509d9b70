#!/usr/bin/env python3
"""Reads orders from files."""
from __future__ import annotations

import os.path
import json as j
from typing import TYPE_CHECKING, Iterator

if TYPE_CHECKING:
    from .store import Store

LIMIT = 10
table: dict[str, int] = {}


def read(path: str) -> "Order":
    """Read an order.

    The file must exist.
    """
    with open(path) as f:
        return Order(j.load(f), os.path.getsize(path))


# Decorated and asynchronous.
@cache
@retry(times=3)
async def fetch(url, *,
                timeout: float = 1.0) -> Iterator[Order]:
    async for part in client.stream(url):
        yield part


class Order(Base, mixins.Printable, metaclass=Meta):
    """An order of a customer."""

    count = 0

    def __init__(self, data, size):
        super().__init__(data)
        self.size = size

    @property
    def total(self) -> int:
        # Sums up.
        def add(a, b):
            return a + b
        return self.sum(add)

    names: list[str] = []

    @staticmethod
    def empty(): return Order({}, 0)

    class Line:
        def price(self):
            return 1


try:
    import fast
except ImportError:
    def fallback():
        pass

if __name__ == "__main__":
    print(read("a").total)
