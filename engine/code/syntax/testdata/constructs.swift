@testable import struct Store.Row
import Foundation

#if os(iOS)
/// Only on phones.
func phone() { vibrate() }
#else
func desk() { beep() }
#endif

infix operator <=>: Ordering
precedencegroup Ordering { associativity: left }

/// Compares in three ways.
func <=> (a: Int, b: Int) -> Int { compare(a, b) }

@propertyWrapper
struct Clamped<Value: Comparable> where Value: Hashable {
    private var value: Value
    var wrappedValue: Value {
        get { value }
        set { value = clamp(newValue) }
    }
    var projectedValue: Clamped<Value> { self }
    init(wrappedValue: Value) { value = wrappedValue }
}

/// A screen.
struct Screen: View {
    @State private var count = 0
    @Environment(\.dismiss) var dismiss
    lazy var cache: Cache = { Cache(size: 10) }()

    /// What is shown.
    var body: some View {
        VStack {
            Text("a").font(.title)
            Button("b") { reload() }
        }
    }

    static var preview: Screen { Screen() }
    var level = 1 {
        willSet { log(newValue) }
        didSet { store.save(level) }
    }

    struct Row: Identifiable {
        enum Kind: String, CaseIterable {
            case small, large
            indirect case nested(Kind)
            static let all = [small]
        }
        let id: Int
    }

    class var shared: Screen { Screen() }
    func callAsFunction(_ x: Int) -> Int { x }
    convenience init?(coder: NSCoder) { self.init() }
    static subscript(key: String) -> Int {
        get { read(key) }
        set { write(key, newValue) }
    }
}

public extension Array where Element: Numeric {
    /// Sums it up.
    func total() -> Element { reduce(0, +) }
    var middle: Element? { isEmpty ? nil : self[count / 2] }
}

extension Screen.Row {
    func open() async throws { try await loader.open(id) }
}

protocol Source<Element>: AnyObject, Sendable {
    associatedtype Element: Hashable
    var count: Int { get }
    static func make() -> Self
    mutating func next() -> Element?
    subscript(i: Int) -> Element { get }
}

distributed actor Worker {
    distributed func work() -> Int { 1 }
    nonisolated var name: String { "w" }
}

@freestanding(expression)
macro stringify<T>(_ value: T) -> (T, String) = #externalMacro(module: "M", type: "S")

@resultBuilder
enum Builder {
    static func buildBlock(_ parts: Part...) -> [Part] { parts }
}

open class Base<T>: Parent, @unchecked Sendable {
    public typealias Completion = (T) -> Void
    @available(iOS 15, *)
    open func run<U>(
        _ input: U,
        then: @escaping Completion
    ) rethrows -> some Collection where U: Equatable {
        func nested() { inner() }
        nested()
        return #stringify(input)
    }
    deinit {
        close()
    }
}

let handler: (Int) -> Int = { number in
    double(number)
}

var computed: Int { handler(2) }
