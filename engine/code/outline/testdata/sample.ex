defmodule Shop.Order do
  @moduledoc "Orders."
  alias Shop.Item

  # Its total.
  @spec total(t) :: integer
  def total(order) do
    Enum.sum(order.items)
  end

  defp check(order), do: valid?(order)
end
