# frozen_string_literal: true
require "set"
require_relative "./other"
load "tasks.rb"

module Outer; end

# Inner things.
module Outer::Inner
  extend self
  VERSION = "1"
  Point = Struct.new(:x, :y) do
    def length = Math.sqrt(x)
  end
  Failure = Class.new(StandardError)

  class << self
    attr_accessor :settings
    # Configures.
    def configure
      yield settings
    end
    private
    def secret; end
  end

  class Base < ActiveRecord::Base
    include Comparable, Enumerable
    extend Forwardable
    prepend Outer::Wrap
    attr_reader :a, :b
    attr_writer :c
    alias_method :old, :new_name
    alias other total
    delegate :x, to: :y
    has_many :rows, dependent: :destroy
    scope :recent, -> { where(new: true) }
    validates :name, presence: true
    CONSTANT = [1].freeze
    @@count = 0

    def initialize(a, *rest, key: 1, **options, &block)
      @a = a
      super
    end

    def total() = rows.sum(&:price)
    def ==(other) = other.a == a
    def [](i) = rows[i]
    def []=(i, v); rows[i] = v; end
    def <=>(other) a <=> other.a end
    def +(other); join(other); end
    def -@; negate; end
    def empty? = rows.empty?
    def save!
      persist!(self)
    rescue ActiveRecord::Error => e
      log(e)
    ensure
      close
    end
    def name=(value)
      @name = clean(value)
    end
    def self.find(id) = lookup(id)
    def Base.other; end

    define_method(:dynamic) { |x| handle(x) }
    define_method "written" do |x|
      handle_again(x)
    end

    protected

    def hidden
      text = <<~TEXT
        def not_a_method
        end
        #{interpolated(1)}
      TEXT
      %w[a b].each { |w| print w }
      case self
      in {a: Integer => n} then matched(n)
      end
    end

    private def inline_private(x) = keep(x)
    private_class_method def self.factory
      build
    end

    class Nested; class Deep; def run; go; end; end; end
  end
end

class Reopened
  class Error < StandardError; end
  def method_missing(name, *args) = forward(name)
  undef_method :old
end

if RUBY_VERSION > "3"
  def modern; new_way; end
end

def obj.single; end

RSpec.describe Order do
  let(:order) { build(:order) }
  it "sums up" do
    expect(order.total).to eq(1)
  end
end

task :build => :test do
  sh "make"
end

__END__
def after_end
end
