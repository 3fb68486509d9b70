require 'json'
require_relative 'store'

# Things of the shop.
module Shop
  LIMIT = 10

  # An order.
  class Order < Base::Record
    include Comparable
    attr_reader :id

    def initialize(id)
      @id = id
      super()
    end

    # Its total.
    def total(scale: 1)
      lines.map { |l| l.price }.sum * scale
    end

    def self.find(id)
      Store.fetch(id) or raise NotFound.new(id)
    end

    class << self
      def build = new(1)
    end
  end
end

def helper(a, *rest)
  puts a
end

helper(1)
