internal import Modeling

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
