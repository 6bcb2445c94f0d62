import Modeling
import Postgres
import PostgresStorage
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// A predicate is decided partly by PostgreSQL and partly here; together they answer as the evaluation in memory does, object by
/// object, for every operator, type, option and nil. PERILUNE_LONG_TESTS=1 lets it run for minutes.
@Suite(.seeded, .enabled(if: PostgresServer.isInstalled)) struct PostgresAgreementTests {
  @Test(arguments: 0..<(Effort.isLong ? 400 : 4))
  func randomPredicatesAgree(_ number: Int) throws {
    let world = try PostgresWorld(seed: UInt64(number))
    let differences = (0..<60).compactMap { index -> String? in
      var predicates = RandomPredicates(number: number * 60 + index)
      return world.difference(predicates.predicate(3)).map { "case \(number * 60 + index): \($0)" }
    }
    #expect(differences.isEmpty, "\(differences.prefix(6).joined(separator: "\n"))")
  }

  @Test func everyOperatorAgreesWithEachTypeAndNil() throws {
    let world = try PostgresWorld(seed: 3)
    var (differences, checks): ([String], Int) = ([], 0)
    func check(_ left: Queries.Expression, _ comparator: Comparator, _ values: [Queries.Expression]) {
      let right: Queries.Expression =
        switch comparator {
        case .between: .aggregate([values[0], values[values.count - 1]])
        case .in: .aggregate(values)
        default: values[0]
        }
      let comparison = Comparison(left, comparator, right.inlined)
      world.difference(.comparison(comparison)).map { differences.append($0) }
      checks += 1
    }
    for (number, comparator) in Comparator.allCases.enumerated() {
      for type in AgreementWorld.types {
        let path = Queries.Expression.path(PropertyPath([AgreementWorld.name(type)]))
        check(path, comparator, [.constant(.null), path])
        for (other, against) in AgreementWorld.types.enumerated() {
          let values = AgreementWorld.values(against).map(Queries.Expression.constant)
          let turn = (number + other) % values.count
          check(path, comparator, [values[turn], values[(turn + 1) % values.count]])
          if against == type { for value in values { check(path, comparator, [value, values[0]]) } }
          check(path, comparator, [.path(PropertyPath([AgreementWorld.name(against)])), values[turn]])
        }
      }
    }
    #expect(differences.isEmpty, "\(differences.count) of \(checks)\n\(differences.prefix(15).joined(separator: "\n"))")
    #expect(checks > 2000)
  }

  @Test func pathsWithinASubqueryStartAtTheObject() throws {
    let world = try PostgresWorld(seed: 12)
    let differences = try [
      "SUBQUERY(children, $v, ANY children.aData > aData).@count == 0",
      "SUBQUERY(children, $v, aInteger16 > $v.aInteger16).@count > 0",
      "SUBQUERY(children, $v, $v.parent.aString == parent.aString).@count == 0",
      "SUBQUERY(children, $v, SELF == $v.parent AND SUBQUERY(children, $w, $w.aBool == aBool).@count > 0).@count > 1",
    ].compactMap { world.difference(try Queries.Predicate.parse($0)) }
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }

  @Test func normalizedTextsAreComparedInTheOrderOfTheLocaleHere() throws {
    let world = try PostgresWorld(seed: 12)
    for options in ["nl", "cnl", "n"] {
      let predicates =
        ["<", ">=", "==", "!="].map { "aString \($0)[\(options)] 'K'" } + [
          "aString <[\(options)] aURL", "ANY children.aString CONTAINS[\(options)] 'l'",
        ]
      let differences = try predicates.compactMap { world.difference(try Queries.Predicate.parse($0)) }
      #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }
  }

  @Test func aVariableWithinHidesTheOuterOneOfItsNameAsLongAsItIsBound() throws {
    let world = try PostgresWorld(seed: 4)
    let predicate = try Predicate.parse(
      """
      SUBQUERY(children, $t, SUBQUERY($t.children, $t, $t.parent != nil).@count > 0 AND $t.children.@count > 0).@count > 0
      """)
    #expect(world.difference(predicate) == nil)
  }

  @Test func ordersAreTheSame() throws {
    let world = try PostgresWorld(seed: 5)
    var differences: [String] = []
    for type in AgreementWorld.types {
      for (isAscending, comparator) in [
        (true, SortDescriptor.StringComparator.binary), (false, .binary), (true, .localized),
      ] {
        let path = Queries.Expression.path(PropertyPath([AgreementWorld.name(type)]))
        let descriptor = Queries.SortDescriptor(path, ascending: isAscending, comparator: comparator)
        var request = FetchRequest(world.entity("Thing"))
        request.sortDescriptors = [descriptor]
        (request.fetchOffset, request.fetchLimit) = (1, 9)
        let order = try SortOrder([descriptor], entity: world.twins.sample.entity("Thing"))
        let expected = try world.twins.family("Thing").map { (key: $0.key, values: try order.keys(of: $0)) }.sorted {
          let comparison = order.compare($0.values, $1.values)
          return comparison < 0 || comparison == 0 && $0.key < $1.key
        }
        let found = try world.store.keys(request)
        if found != expected.map(\.key).dropFirst().prefix(9).map({ $0 }) {
          differences.append("\(type) \(isAscending) \(comparator): \(found), expected \(expected.map(\.key))")
        }
      }
    }
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }
}
