package shop

import scala.math.max

/** An order. */
case class Order(id: Int) extends Base(id) {
  val size = 1

  // Its total.
  def total(scale: Int): Int = {
    max(lines.sum, scale)
  }
}

object Order {
  def empty: Order = Order(0)
}

trait Shape
