using System;
using System.Collections.Generic;

namespace App.Store
{
    /// <summary>Keeps rows.</summary>
    [Serializable]
    public partial class Store<T> : Base<T>, IDisposable where T : class
    {
        private readonly List<T> rows = new();
        public int Count { get; set; }

        public string Name
        {
            get { return Format(rows); }
        }

        /// <summary>Makes it.</summary>
        public Store(int size) : base(size) { Open(size); }

        ~Store() { Close(); }

        [Obsolete]
        public async Task<Row> ReadAsync(string key, Options options = null)
        {
            var row = new Row(key);
            await this.Load(row);
            return Console.Out.Write(row);
        }

        public T this[int i] => rows[i];

        public static Store<T> operator +(Store<T> a, Store<T> b) { return a; }

        private int last;
    }

    public interface IShape : IComparable { double Area(); }

    public struct Point { public int X; }

    public record Person(string Name) : Entity(Name);

    public enum Color { Red, Green }

    public delegate void Handler(object sender);
}
