@file:JvmName("Constructs")

package org.example

import kotlin.collections.map as mapped
import org.other.*

/** A shape. */
sealed interface Shape {
    val area: Double
    data class Circle(val r: Double) : Shape { override val area get() = pi() * r }
    data object Empty : Shape { override val area = 0.0 }
}

sealed class Result<out T : Any>(private val x: T) where T : Named {
    class Ok<T : Any>(val value: T) : Result<T>(value)
    object Failed : Result<Nothing>(fail())
}

@JvmInline
value class Id(val raw: Long)
annotation class Marker(val name: String = "")
fun interface Action { fun run(x: Int) }

abstract class Base(open val name: String) {
    constructor() : this(default()) { log() }
    init { register(this) }
    abstract fun draw()
    protected open suspend fun load(vararg xs: Int = intArrayOf(), block: suspend (Int) -> Unit): List<Int>? {
        fun local() = helper()
        return xs.map { transform(it) }
    }
    inner class Inner { fun deep() = this@Base.draw() }
    var size: Int = 0
        get() = field + extra()
        private set(value) { field = check(value) }
    val lazily: String by lazy { compute() }
    lateinit var late: String
    operator fun get(i: Int): Int = at(i)
    operator fun plus(other: Base): Base = join(other)
    infix fun shl(n: Int) = n
    companion object Factory : Creator<Base> {
        const val LIMIT = 10
        @JvmStatic fun create(): Base = build()
    }
}

class Delegating(private val inner: Store) : Store by inner, Named {
    override fun toString(): String = inner.toString()
}

object Single : Store by MemoryStore() {
    fun only() = one()
}

enum class Level(val n: Int) : Named {
    LOW(1) { override fun text() = "low" },
    HIGH(2);
    abstract fun text(): String
    companion object { fun of(n: Int) = entries.first { it.n == n } }
}

inline fun <reified T> String.parse(): T where T : Any = decode<T>(this)
val String.words: Int get() = split(" ").size
tailrec fun loop(n: Int): Int = if (n == 0) 0 else loop(n - 1)
fun `with spaces`() = quoted()
expect fun platform(): String
typealias Handler<T> = suspend (T) -> Unit
private val table by lazy { build() }
const val LIMIT = 1

val anonymous = object : Listener {
    override fun onEvent(e: Event) { handle(e) }
}

fun main() {
    val add = fun(a: Int): Int { return plus(a) }
    when (val x = read()) { is Int -> use(x); else -> Unit }
    Base.create().load(1) { print(it) }
    with(Single) { only() }
}
