import Modeling
import Testing

/// A name is offered only where it was probably meant.
@Suite struct NearestNameTests {
  @Test(arguments: [
    ("magnitud", ["code", "magnitude", "place"], "magnitude"), ("titel", ["title", "time"], "title"),
    ("departure_delay", ["arr_delay", "dep_delay", "dest"], "dep_delay"),
    ("sortedrted", ["sorted", "computed"], "sorted"),
    ("filter", ["fetch", "find", "where"], "where"), ("mag", ["day", "magnitude"], "magnitude"),
    ("orderBy", ["sorted", "offset"], "sorted"), ("QUAKE", ["Quake", "Report"], "Quake"),
    ("entity", ["since", "entities"], "entities"),
    ("quakes", ["Quake"], "Quake"),
    ("fetchrequest", ["FetchRequest", "Date"], "FetchRequest"),
    ("unitPrice", ["price_per_unit", "zip"], "price_per_unit"),
  ])
  func theNameThatWasMeantIsOffered(name: String, candidates: [String], nearest: String) {
    #expect(nearestName(to: name, in: candidates) == nearest)
    #expect(nearestName(to: name, in: candidates.reversed()) == nearest)
  }

  @Test(arguments: [
    ("Japan", ["cause", "magnitude"]), ("x", ["y", "id"]), ("foo", ["math", "Date"]), ("interval", ["Int"]),
    ("", ["a"]), ("undoo", ["d"]), ("the", ["there"].filter { _ in false }), ("setAll", ["getAll2Foo"]),
  ])
  func nothingIsOfferedWhereNothingIsNear(name: String, candidates: [String]) {
    #expect(nearestName(to: name, in: candidates) == nil)
  }
}
