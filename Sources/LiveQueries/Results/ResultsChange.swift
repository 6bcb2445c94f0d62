public import Modeling
public import Reactive

/// What became of a live result: the difference between two of its states.
///
/// Old indices count in the arrangement before the change, new ones in that after it, both from 0 and within the section
/// where there are sections. To follow it, take away what is deleted and moved from the highest old index downwards, then
/// put in what is inserted and moved from the lowest index upwards. As NSFetchedResultsController tells it, a row that moved
/// may have changed too, and a row that changed without crossing another is updated; but nothing is told twice.
public struct ResultsChange: Sendable {
  /// What brought a change about.
  public enum Kind: String, Sendable {
    /// Unsaved changes of the context.
    case pending
    /// A commit of this program: a save, a batch request, SQL.
    case save
    /// A commit of another program.
    case remote
    /// Another predicate, order, limit or section key.
    case configuration
  }

  /// A row and its places.
  public struct Entry: Sendable {
    /// The place now; nil for a deleted one.
    public var index: Int?
    /// The place before; nil for an inserted one.
    public var oldIndex: Int?
    /// The section now; nil for a deleted row, and without sections.
    public var section: Int?
    /// The section before; nil for an inserted row, and without sections.
    public var oldSection: Int?
    /// The object; nil for groups and counts.
    public var objectID: ObjectID?
    /// The row now, where results are dictionaries; for a deleted group the row before.
    ///
    /// A deleted row of a single object is told by its ID: of those only the keys are held, and what a commit of anybody took
    /// away can be read no more.
    public var values: [Value] = []
    /// The row before, of an updated or moved group; empty otherwise.
    public var oldValues: [Value] = []
  }

  /// A section and its place.
  public struct SectionEntry: Sendable, Hashable {
    /// The place now, or before for a deleted one.
    public var index: Int
    /// What the objects of the section have in common.
    public var id: Value
  }

  /// What brought it about.
  public var kind: Kind
  /// Rows that were not there, by their place.
  public var inserted: [Entry] = []
  /// Rows that are no longer there, by their old place.
  public var deleted: [Entry] = []
  /// Rows that have other values and crossed no other row, by their place.
  public var updated: [Entry] = []
  /// Rows that crossed others, by their place; they may have other values, too.
  public var moved: [Entry] = []
  /// Sections that were not there, by their place.
  public var insertedSections: [SectionEntry] = []
  /// Sections that are no longer there, by their old place.
  public var deletedSections: [SectionEntry] = []
  /// Sections that are still there and whose values (`FetchRequest.sectionValues`) are others, by place.
  public var updatedSections: [SectionEntry] = []
  /// Whether too much happened at once to say which rows have other values: `updated` may lack some.
  public var isReload = false
  /// The transaction that says how to show it.
  public var transaction = Transaction()
  /// Who made the change, as far as that was said.
  public var author: String?
  /// What updated objects held before; nil where no observer asks for it.
  public var former: FormerValues?

  init(_ kind: Kind) { self.kind = kind }

  /// Whether nothing is told.
  public var isEmpty: Bool {
    inserted.isEmpty && deleted.isEmpty && updated.isEmpty && moved.isEmpty && insertedSections.isEmpty
      && deletedSections.isEmpty && updatedSections.isEmpty && !isReload
  }
}
