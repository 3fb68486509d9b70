<html><?php if ($a): ?>
<p><?= title($page) ?></p>
<?php endif;

namespace App\Shapes;

use function App\{one, two as zwei};
use const App\LIMIT;
use App\Models;
require __DIR__ . '/boot.php';
include_once('other.php');

define('DEFINED', 1);
const A = 1, B = 2;

#[Attribute(Attribute::TARGET_CLASS)]
abstract class Shape implements HasArea, \Stringable
{
    use Loggable { log as protected traitLog; Loggable::log insteadof Other; }

    public const string NAME = 'shape';
    final protected const SIDES = 0;
    public static int $count = 0;
    protected readonly array|null $points;
    private ?Shape $next = null, $last;

    public function __construct(protected readonly string $name, private int $size = 1) {}
    public function __destruct() { $this->close(); }
    abstract public function area(): float;
    final public static function create(self ...$others): static { return new static(...$others); }
    public function &reference(array &$a): ?int { return first($a); }
    public function __get(string $name): mixed { return $this->read($name); }
    public function fluent(): static
    {
        return $this->items?->filter(fn($x) => $x->isReady())->map(function ($y) use ($z) { return convert($y); });
    }
    public string $hooked { get => strtoupper($this->raw); set { $this->raw = clean($value); } }
}

interface HasArea extends \Countable, Named { const UNIT = 'm'; public function area(): float; public static function make(): self; }

trait Loggable
{
    private array $lines = [];
    abstract protected function target(): string;
    public function log(string $line): void { self::write($line); }
    public static function reset() {}
}

enum Suit: string implements HasColor
{
    case Hearts = 'H';
    case Spades = 'S';
    const Wild = self::Spades;
    public function color(): string { return match ($this) { Suit::Hearts => red(), default => black() }; }
    public static function fromChar(string $c): self { return self::from($c); }
}

enum Plain { case One; }

final readonly class Point extends Shape { public function area(): float { return parent::area(); } }

/**
 * Helps.
 */
function helper(int|string $x, callable $f = null, &...$rest): ?array {
    function nested() { return inner(); }
    static $calls = 0;
    $anonymous = new class(1) extends Shape implements Named { public function area(): float { return area_of($this); } };
    $f = 'dynamic';
    $f();
    echo <<<TEXT
    function not_one() {}
    TEXT;
    return [$x];
}

if (!function_exists('polyfill')) {
    function polyfill() { return fill(); }
}

$closure = function (int $a) use ($b): int { return plus($a); };
$arrow = fn(int $a) => times($a);
Route::get('/x', [Controller::class, 'show']);
?>
<footer><?php footer(); ?></footer>
