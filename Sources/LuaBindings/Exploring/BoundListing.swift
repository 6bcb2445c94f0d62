internal import LuaRuntime
internal import Modeling

/// How a table of rows is displayed; a field of the table's metatable.
final class BoundListing: Bound {
  static let luaName = "Listing"
  var place: String { "listing" }

  let listing: Listing

  init(_ listing: Listing) { self.listing = listing }

  func summary() -> String { "listing of \(Quantity.grouped(listing.count))" }
}

extension Call {
  /// Makes the list of rows on the top display as `listing`, with `names` as its columns in data formats; `print`
  /// writes the listing as text. If `isNamed`, pops the table below the list, in which the list finds its fields.
  func setListing(_ listing: Listing, columns names: [String], isNamed: Bool = false) {
    stack.reserve(8)
    keepOrder(of: names)
    guard stack.pushMetatable(of: -1) else { return }
    engine.classes.push(BoundListing(listing), on: stack)
    stack.rawSet(field: "__listing", at: -2)
    let text = ListingText(fit: engine.host.fitsText)
    stack.pushFunction { stack in
      stack.push(try text.text(listing))
      return 1
    }
    stack.rawSet(field: "__tostring", at: -2)
    if isNamed {
      stack.pushCopy(of: -3)
      stack.rawSet(field: "__index", at: -2)
    }
    stack.pop()
    if isNamed { stack.remove(at: -2) }
  }
}

extension BoundListing {
  /// The listing of the table at `index`; nil if it has none.
  static func listing(at index: Int32, on stack: LuaStack, in engine: Engine) -> Listing? {
    guard stack.type(at: index) == .table, stack.pushMetatable(of: index) else { return nil }
    defer { stack.pop(2) }
    guard stack.rawGet(field: "__listing", at: -1) == .userdata else { return nil }
    return engine.classes.object(BoundListing.self, at: -1, on: stack)?.listing
  }
}
