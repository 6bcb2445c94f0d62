internal import Queries

enum TempSemantics { case store }
extension Predicate { func evaluate(_ object: ManagedObject, semantics: TempSemantics) throws -> Bool? { nil } }
extension [SortDescriptor] { func order(_ a: ManagedObject, _ b: ManagedObject) throws -> Int { 0 } }
