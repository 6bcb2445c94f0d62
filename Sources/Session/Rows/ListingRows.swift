internal import LuaBindings
internal import Presentation

/// The rows of a listing, such as a store's history.
final class ListingRows: TabularSource {
  let columns: [TabularColumn]
  let rowName: String?
  private let listing: Listing
  private var position = 0

  init(_ listing: Listing) {
    self.listing = listing
    rowName = listing.rowName
    columns = listing.columns.map { TabularColumn($0.name, alignment: $0.isNumber ? .trailing : .leading) }
  }

  func next() throws -> [Cell]? {
    guard position < listing.count else { return nil }
    position += 1
    return try listing.row(position - 1).map { Cell($0) }
  }

  func totalCount() -> Int? { listing.count }

  func lastRows(_ count: Int) throws -> [[Cell]]? {
    try (max(0, listing.count - count)..<listing.count).map { try listing.row($0).map { Cell($0) } }
  }
}
