global using System;
using static System.Math;
using Alias = System.Collections.Generic.List<int>;
[assembly: CLSCompliant(true)]

namespace App.Shapes;

/// <summary>A shape.</summary>
public abstract partial record Shape(string Name)
{
    public abstract double Area { get; }
    public required string Label { get; init; } = Default();
    public static Shape Unit => new Circle(1);
}

public sealed record Circle(double R) : Shape("circle"), IShape<double>
{
    public override double Area => PI * Pow(R, 2);
    public void Deconstruct(out double r) => r = R;
}

public readonly record struct Pair<T>(T A, T B) where T : notnull;
public readonly ref struct Slice { public int Length { get { return Count(); } } }

public interface IShape<out T> : IDisposable
{
    T Value { get; }
    static abstract T Zero { get; }
    void Draw();
    int Twice() => Once() * 2;
    event EventHandler Changed;
    T this[int i] { get; }
}

[Flags]
public enum Color : byte { Red = 1, Green }

public class Store<T>(ILogger logger) : Base(logger), IEnumerable<T> where T : class, new()
{
    private const int Limit = 10;
    private static readonly Dictionary<string, T> cache = new();
    public event EventHandler<Args>? Changed;
    public event Action Custom { add { Subscribe(value); } remove { Unsubscribe(value); } }
    static Store() { Setup(); }
    public Store() : this(null) { }
    ~Store() => Close();
    public T this[string key] { get { return cache[key]; } set { Put(key, value); } }
    public string Name { get; private set { field = Check(value); } }
    public static bool operator ==(Store<T> a, Store<T> b) => a.Equals(b);
    public static implicit operator string(Store<T> s) => s.ToString();
    public static explicit operator int(Store<T> s) => s.Size();
    IEnumerator IEnumerable.GetEnumerator() => GetAll();
    [Obsolete("x"), Test]
    public async Task<IList<T>> LoadAsync<U>(this U source, [NotNull] string key = "", params int[] rest) where U : T
    {
        int Local(int x) { return Inner(x); }
        await foreach (var row in source.Rows()) yield return row?.Convert<T>();
        Func<int, int> f = x => Twice(x);
        return new List<T> { new() };
    }
    partial void OnChanged();
    unsafe int* Pointer(delegate*<int, void> p) { return null; }
    public extern static int Native();
    private class Nested { enum Inner { A } void Deep() { Deeper(); } }
    private delegate TOut Mapper<in TIn, out TOut>(TIn x);
}

public static class Extensions
{
    public static int Words(this string s) => s.Split(' ').Length;
}

#if DEBUG
class OnlyDebug { void Run() { Trace(); } }
#endif

file class Hidden { }
