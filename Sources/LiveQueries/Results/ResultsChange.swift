public import Modeling
public import Reactive
internal import Stores

/// The difference between two states of a live result.
///
/// Old indices count in the arrangement before the change, new ones in the arrangement after it, both from 0 and within
/// the section if there are sections. To follow a change, remove deleted and moved rows from the highest old index
/// downwards, then insert inserted and moved rows from the lowest index upwards. As with NSFetchedResultsController, a
/// moved row may have other values, too, and a row that changed without crossing another is updated; but each row is
/// listed once.
public struct ResultsChange: Sendable {
  /// The causes of changes.
  public enum Kind: String, Sendable {
    /// Unsaved changes of the context.
    case pending
    /// A commit of this program: a save, a batch request, SQL.
    case save
    /// A commit of another program.
    case remote
    /// Another predicate, order, limit or section identifier.
    case configuration
  }

  /// A row with its indices.
  public struct Entry: Sendable {
    /// The new index; nil for a deleted row.
    public var index: Int?
    /// The old index; nil for an inserted row.
    public var oldIndex: Int?
    /// The new section; nil for a deleted row, and without sections.
    public var section: Int?
    /// The old section; nil for an inserted row, and without sections.
    public var oldSection: Int?
    /// The object; nil for groups and counts.
    public var objectID: ObjectID?
    /// The row's new values, if results are dictionaries; for a deleted group its old values.
    ///
    /// A deleted row of a single object has only its ID: results hold only the keys of such rows, and the values of a
    /// deleted row cannot be read any more.
    public var values: [Value] = []
    /// The old values of an updated or moved group; otherwise empty.
    public var oldValues: [Value] = []
  }

  /// A section with its index.
  public struct SectionEntry: Sendable, Hashable {
    /// The new index, or the old one for a deleted section.
    public var index: Int
    /// The value that the objects of the section share.
    public var id: Value
  }

  /// The cause of the change.
  public var kind: Kind
  /// Inserted rows, by index.
  public var inserted: [Entry] = []
  /// Deleted rows, by old index.
  public var deleted: [Entry] = []
  /// Rows that have other values and crossed no other row, by index.
  public var updated: [Entry] = []
  /// Rows that crossed others, by index; they may have other values, too.
  public var moved: [Entry] = []
  /// Inserted sections, by index.
  public var insertedSections: [SectionEntry] = []
  /// Deleted sections, by old index.
  public var deletedSections: [SectionEntry] = []
  /// Sections that are still there and whose values (`FetchRequest.sectionValues`) are others, by place.
  public var updatedSections: [SectionEntry] = []
  /// Whether too much happened at once to say which rows have other values: `updated` may lack some.
  public var isReload = false
  /// The transaction with the animation for the change.
  public var transaction = Transaction()
  /// The author of the change, if the transaction named one.
  public var author: String?
  /// The former values of updated objects; nil if no observer asks for them.
  public var former: FormerValues?

  init(_ kind: Kind) { self.kind = kind }

  /// Whether the change is empty.
  public var isEmpty: Bool {
    inserted.isEmpty && deleted.isEmpty && updated.isEmpty && moved.isEmpty && insertedSections.isEmpty
      && deletedSections.isEmpty && updatedSections.isEmpty && !isReload
  }
}

extension ResultsChange {
  /// Converts a difference of arrangements into a change of objects of `entity`.
  init(_ kind: Kind, _ difference: ArrangementDifference, entity: Entity?) {
    self.init(kind)
    func entries(_ list: [ArrangementDifference.Entry]) -> [Entry] {
      list.map { entry in
        Entry(
          index: entry.index, oldIndex: entry.oldIndex, section: entry.section, oldSection: entry.oldSection,
          objectID: entity.map { ObjectID(entity: $0, key: entry.key) })
      }
    }
    inserted = entries(difference.inserted)
    deleted = entries(difference.deleted)
    updated = entries(difference.updated)
    moved = entries(difference.moved)
    insertedSections = difference.insertedSections.map { SectionEntry(index: $0.index, id: $0.id) }
    deletedSections = difference.deletedSections.map { SectionEntry(index: $0.index, id: $0.id) }
  }
}

extension ResultsChange {
  /// A change that may not list every updated row in `updated`.
  static func reloaded(_ change: ResultsChange?, _ round: RoundChanges) -> ResultsChange {
    var change = change ?? ResultsChange(round.kind)
    change.isReload = true
    return change
  }
}

extension TouchedRows.Table {
  /// The keys of rows whose values may have changed; a new row may have replaced another.
  var changedKeys: Set<Int64> { Set(updated).union(inserted) }
}
