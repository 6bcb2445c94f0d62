import Foundation
import Modeling
import ObjectGraph
import Queries
import TestSupport
import Testing

@testable import LiveQueries

/// Groups of values that are no binary numbers: decimals, which add up exactly, truth values, dates and bytes.
@Suite(.seeded) struct DecimalGroupsTests {
  private let world: LiveWorld

  init() throws {
    world = try LiveWorld(
      model: Model([
        EntityDescription(
          "Order",
          properties: [
            .attribute(Attribute("kind", .string)), .attribute(Attribute("price", .decimal)),
            .attribute(Attribute("paid", .boolean)), .attribute(Attribute("day", .date)),
            .attribute(Attribute("mark", .data)), .attribute(Attribute("code", .uuid)),
          ])
      ]))
  }

  private static let ids = (0..<4).map { _ in UUID() }

  private func fill(_ order: ManagedObject, _ random: inout SplitMix) throws {
    func some(_ values: [Value]) -> Value { random.below(4) == 0 ? .null : values[random.below(values.count)] }
    try order.set("kind", some(["a", "b", "c"].map { .string($0) }))
    try order.set(
      "price", some(["0.1", "0.2", "0.3", "-7", "12345678901234567890.5"].map { .decimal(Decimal(string: $0)!) }))
    try order.set("paid", some([.bool(true), .bool(false)]))
    try order.set("day", some((0..<5).map { .date(Timestamp(Double($0) * 86400.5)) }))
    try order.set("mark", some([.data([]), .data([1]), .data([1, 2])]))
    try order.set("code", some(Self.ids.map { .uuid($0) }))
  }

  private static let columns = [
    "kind", "count(price)", "sum(price)", "average(price)", "min(price)", "max(price)", "sum(paid)", "min(paid)",
    "max(paid)", "min(day)", "max(day)", "count(mark)", "count(code)",
  ]

  private func request(by key: String?) throws -> FetchRequest {
    var request = try world.request("Order", nil, sort: key.map { [$0] } ?? [])
    request.resultType = .dictionaries
    if let key { request.propertiesToGroupBy = [try Expression.parse(key)] }
    let columns = key.map { [$0] + Self.columns.dropFirst() } ?? Array(Self.columns.dropFirst())
    request.propertiesToFetch = try columns.map { FetchedColumn($0, try Expression.parse($0)) }
    return request
  }

  @Test(arguments: ["kind", "price", "paid", "day", "code", nil])
  func theyStayWhatTheGroupsOfAllObjectsAre(key: String?) throws {
    let request = try request(by: key)
    let groups = try FetchedValues(request, in: world.live.context(world.context))
    let told = groups.onChange { _ in }
    defer { told.cancel() }
    var random = SplitMix(seed: 5)
    var orders: [ManagedObject] = []
    for round in 0..<40 {
      for _ in 0..<random.below(6) + 1 {
        switch random.below(4) {
        case 0, 1:
          orders.append(try world.make("Order"))
          try fill(orders[orders.count - 1], &random)
        case 2 where !orders.isEmpty: try fill(orders[random.below(orders.count)], &random)
        default: if !orders.isEmpty { try orders.remove(at: random.below(orders.count)).delete() }
        }
      }
      try world.save()
      #expect(try Array(groups) == PlainGroups(request, world.context).rows(), "round \(round)")
    }
    #expect(world.failures == [])
  }

  @Test func aSectionTellsAMedianToo() throws {
    var request = try world.request("Order", nil, sort: ["kind", "price"], section: "kind")
    request.sectionValues = [
      try FetchedColumn("middle", parsing: "median(price)"), try FetchedColumn("n", parsing: "count"),
    ]
    let results = try FetchedResults(request, in: world.live.context(world.context))
    func told() throws -> [[Value]?] { try ["a", "b", "c"].map { try results.values(ofSection: .string($0)) } }
    let token = results.onChange { _ in }
    defer { token.cancel() }
    func make(_ kind: String, _ price: Int) throws {
      try world.make("Order", ["kind": .string(kind), "price": .decimal(Decimal(price))])
    }
    for (kind, price) in [("a", 1), ("a", 2), ("a", 9), ("b", 4)] { try make(kind, price) }
    try world.save()
    #expect(try told() == [[.decimal(2), .int(3)], [.decimal(4), .int(1)], nil])
    try make("b", 6)
    try make("c", 5)
    try world.save()
    #expect(try told() == [[.decimal(2), .int(3)], [.decimal(5), .int(2)], [.decimal(5), .int(1)]])
  }
}
