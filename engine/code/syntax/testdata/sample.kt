package org.example

import kotlin.math.max
import org.other.*

/** A limit. */
const val LIMIT = 10

/**
 * A row of a table.
 */
@Serializable
data class Row(val id: Int, var name: String) : Base(id), Printable {
    val size = 1

    /** Prints it. */
    override fun print(out: Writer): Unit {
        out.write(name)
        helper(id)
    }

    constructor(id: Int) : this(id, "")

    companion object {
        fun of(id: Int): Row = Row(id, "x")
    }
}

interface Shape<T> : Comparable<T> {
    fun area(): Double
}

enum class Color(val rgb: Int) {
    RED(1), GREEN(2);
    fun mix() = RED
}

object Registry : Store {
    private val rows = mutableListOf<Row>()
    fun add(row: Row) { rows.add(row) }
}

typealias Handler = (Row) -> Unit

fun <T> List<T>.second(): T = this[1]

suspend fun main(args: Array<String>) {
    val row = Row(1, "a").print(System.out)
    max(1, 2)
}
