from . import sibling
from .. import parent as up
from .pkg.mod import (
    first,
    second as two,
)
import a.b.c as abc, sys

__all__ = ["Point", "run"]
Alias: TypeAlias = dict[str, "Point"]
type Pair[T] = tuple[T, T]
X = Y = 1
left, right = 1, 2


@dataclass(frozen=True)
class Point(Generic[T], metaclass=abc.ABCMeta):
    """A point.

    It has two numbers.
    """

    x: int = field(default_factory=make)
    y: int = 0
    __slots__ = ("x", "y")

    def __post_init__(self):
        self.check()

    @property
    def size(self): return measure(self)

    @size.setter
    def size(self, value):
        resize(value)

    @classmethod
    @cache
    def parse(cls, text: str, /, *args: int, sep=",", **kw: Any) -> Self:
        return cls(text)

    @staticmethod
    async def load(): await fetch()

    @overload
    def get(self, k: int) -> int: ...
    @overload
    def get(self, k: str) -> str: ...
    def get(self, k): return lookup(k)

    def __getitem__(self, i): return self.items[i]

    def __del__(self):
        close(self)

    async def __aenter__(self): return self

    class Inner:
        """Inside."""

        class Deepest(Enum):
            RED = auto()

            def shade(self):
                return mix(self)


def outer[T: Base](a: T, b: int = 1) -> Callable[[int], T]:
    """Wraps."""
    def inner(c):
        def innermost():
            return deep(c)
        return innermost
    class Local(Base):
        def run(self): pass
    return inner


def kinds(command):
    match command:
        case Point(x=0):
            return origin(command)
        case [a, *rest] if rest:
            return many(rest)
        case _:
            raise ValueError(f"unknown {describe(command)}")


square = lambda n: multiply(n, n)

handlers = {
    "a": lambda: run_a(),
    "b": run_b,
}

# What is done
# at the end.

def after_gap(): ...


async def main():
    async with session() as s, open("f") as f:
        result = [transform(x) async for x in s.rows() if keep(x)]
    global counter
    if (n := len(result)) > 1:
        print(n)


for name in ("a", "b"):
    def looped(): return name

with suppress(ImportError):
    class Optional(Base): ...

if sys.version_info >= (3, 11):
    def newer(): ...
elif sys.platform == "win32":
    def windows(): ...
else:
    class Older: pass

try:
    import fast
except ImportError:
    fast = None
else:
    def speed(): return fast.go()
finally:
    done()
