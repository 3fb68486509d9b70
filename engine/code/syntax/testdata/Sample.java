package org.example.store;

import java.util.List;
import static java.lang.Math.*;

/**
 * Keeps rows.
 *
 * @param <T> what is kept
 */
@Service("store")
public final class Store<T> extends Base<T> implements Closeable, Iterable<T> {
    private static final int LIMIT = 10;
    private List<T> rows;

    /** Makes a store. */
    public Store(List<T> rows) {
        this.rows = rows;
        open();
    }

    @Override
    public void close() throws IOException {
        rows.forEach(this::drop);
        Logger.getLogger("a").info(max(1, 2));
    }

    private int size;

    static <K> Map<K, Row> group(List<K> keys) { return new HashMap<>(); }

    enum State implements Named {
        OPEN { void run() {} }, CLOSED;
        State next() { return CLOSED; }
    }

    interface Visitor<R> extends Function<Row, R> {
        R visit(Row row);
        default void done() { }
    }

    record Point(int x, int y) implements Named {
        Point { check(x); }
        int sum() { return x + y; }
    }

    @interface Marker { String value() default ""; }
}
