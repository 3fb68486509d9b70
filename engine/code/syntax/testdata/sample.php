<?php
declare(strict_types=1);

namespace App\Store;

use App\Models\{User, Row};
use Psr\Log\LoggerInterface as Log;

require_once 'config.php';

const LIMIT = 10;

/**
 * Keeps rows.
 */
#[Entity]
final class Store extends Base implements Countable, \JsonSerializable
{
    use Loggable, Cacheable;

    const SIZE = 1;
    private ?Row $row = null;

    public function __construct(private Log $log)
    {
        parent::__construct();
    }

    /** Finds a row. */
    public static function find(int $id, string ...$names): ?Row
    {
        $row = new Row($id);
        self::check($row);
        return $this->log->info(strlen($id));
    }

    private $last;

    abstract protected function draw();
}

interface Shape extends Named { public function area(): float; }

trait Loggable { public function log() { write(1); } }

enum Suit: string implements HasColor { case Hearts = 'H'; public function color() { return 'Red'; } }

function helper(array $a): int { return count($a); }

helper([]);
