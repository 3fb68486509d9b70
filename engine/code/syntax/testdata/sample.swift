import Foundation
import class UIKit.UIView

/// How many.
let limit = 10

/// A user of the system.
///
/// - Note: It is a value.
public struct User: Codable, Identifiable {
    let id: Int
    var name: String

    /// Makes a user.
    init(id: Int, name: String = "") {
        self.id = id
        self.name = name.trimmed()
    }

    mutating func rename(to name: String) throws -> Bool {
        guard validate(name) else { throw UserError.invalid }
        self.name = name
        return store.save(self)
    }

    subscript(index: Int) -> Character { return name[index] }

    static let shared = User(id: 1)
}

extension User: Equatable, CustomStringConvertible {
    var description: String { "User" }
    static func == (a: User, b: User) -> Bool { a.id == b.id }
}

@MainActor
final class Controller: UIViewController, Delegate {
    deinit { stop() }
    override func viewDidLoad() { super.viewDidLoad(); self.load() }
}

actor Bank {
    func transfer(_ amount: Int) async { await ledger.add(amount) }
}

/// Stores things.
protocol Store: AnyObject {
    associatedtype Item
    func save(_ item: Item) -> Bool
    init()
}

enum UserError: Error {
    case invalid
    case missing(String)
    func text() -> String { "x" }
}

typealias Handler = (User) -> Void

func run<T: Store>(_ store: T) -> T where T.Item == User {
    store.save(User(id: 2))
    return store
}
