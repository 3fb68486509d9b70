package org.example;

import static org.junit.Assert.assertEquals;
import java.util.*;
import java.util.Map.Entry;

/** A shape. */
public sealed interface Shape permits Circle, Square {
    int SIDES = compute();
    double area();
    static Shape unit() { return new Circle(1); }
    private void hidden() { log(); }
    default String name() { return Objects.toString(this); }
}

record Circle(@Positive double radius) implements Shape {
    static final double PI = 3;
    Circle { if (radius < 0) throw new IllegalArgumentException(); }
    Circle() { this(1); }
    public double area() { return PI * Math.pow(radius, 2); }
}

non-sealed class Square implements Shape {
    public double area() { return 1; }
}

@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Marker {
    String value() default "";
    int[] sizes() default {1, 2};
    int LIMIT = 3;
    enum Level { LOW }
}

enum Planet implements Named, Comparable<Planet> {
    /** Ours. */
    EARTH(1) {
        @Override double gravity() { return earthly(); }
    },
    MARS(2);

    private final double mass;
    Planet(double mass) { this.mass = mass; }
    abstract double gravity();
    static Planet first() { return values()[0]; }
}

public abstract class Outer<T extends Comparable<T> & Named, U> extends Base.Inner<T> implements Closeable {
    private static final Map<String, List<T>> CACHE = new HashMap<>();
    static { CACHE.put("a", load()); }
    { initialize(); }

    protected Outer(T value) throws IOException { super(value); }

    @Override
    @SuppressWarnings("unchecked")
    public <R> R apply(Function<? super T, R> f, int... rest) {
        Runnable r = () -> helper(rest);
        Comparator<T> c = new Comparator<T>() {
            @Override public int compare(T a, T b) { return a.compareTo(b); }
        };
        class Local { void inside() { deep(); } }
        return switch (f) { case null -> fallback(); default -> f.apply(this.value); };
    }

    native void nativeCall();
    synchronized final void locked() { lock.lock(); }
    public abstract void open();

    static class Nested { private int count; int get() { return count; } }
    class Inner { class Deeper { void run() { Outer.this.open(); } } }

    int[] array()[] { return null; }
    Supplier<T> s = Outer::make;
}

class Second { }
