import Modeling
import Queries
import Testing

/// Predicates that the program around chooses: by `? :`, `if` and `guard`.
@Suite struct ConditionalReadingTests {
  @Test(arguments: [
    (
      #"quakes.nsPredicate = query.isEmpty ? nil : NSPredicate(format: "place CONTAINS %@", query)"#,
      "length($query) == 0 OR place CONTAINS $query"
    ),
    (
      #"$quakes.nsPredicate.wrappedValue = query.isEmpty ? .init(value: true) : .init(format: "place == %@", query)"#,
      "length($query) == 0 OR place == $query"
    ),
    (
      """
      let predicate: NSPredicate?
      if query.isEmpty { predicate = nil } else { predicate = NSPredicate(format: "place CONTAINS %@", query) }
      """, "length($query) == 0 OR place CONTAINS $query"
    ),
    (
      #"let p = isStrong ? NSPredicate(format: "magnitude > 5") : NSPredicate(format: "felt > 1")"#,
      "$isStrong == YES AND magnitude > 5 OR NOT $isStrong == YES AND felt > 1"
    ),
    (
      #"let p = if ids.isEmpty { NSPredicate(value: true) } else { NSPredicate(format: "felt IN %@", ids) }"#,
      "count($ids) == 0 OR felt IN $ids"
    ),
    (
      """
      func matching(minimum: Int, place: String?) -> NSPredicate? {
          guard minimum > 0 else { return NSPredicate(value: false) }
          if let name = place { return NSPredicate(format: "place == %@", name) }
          return NSPredicate(format: "felt > %d", minimum)
      }
      """, "$minimum > 0 AND ($place != nil AND place == $place OR $place == nil AND felt > $minimum)"
    ),
    (
      """
      var parts = [NSPredicate]()
      if let search, !search.isEmpty { parts.append(NSPredicate(format: "place CONTAINS %@", search)) }
      if self.onlyReviewed { parts.append(.init(format: "isReviewed == YES")) }
      NSCompoundPredicate(andPredicateWithSubpredicates: parts)
      """,
      "($search == nil OR length($search) == 0 OR place CONTAINS $search) AND (NOT $onlyReviewed == YES OR isReviewed == YES)"
    ),
    (
      """
      var parts: [NSPredicate] = [NSPredicate(format: "felt == 1")]
      if all { parts.append(NSPredicate(format: "felt == 2")) }
      NSCompoundPredicate(orPredicateWithSubpredicates: parts)
      """, "felt == 1 OR $all == YES AND felt == 2"
    ),
  ])
  func aConditionAroundAPredicateIsAPartOfIt(text: String, format: String) {
    #expect(ReadingSample.format(text) == format)
  }

  @Test(arguments: [
    (#"NSPredicate(format: "place == '\(place)' AND felt > \(limit)")"#, "place == $place AND felt > $limit"),
    (#"NSPredicate(format: "\(#keyPath(Quake.place)) == %@ AND felt > %d", name, 3)"#, "place == $name AND felt > 3"),
    ("let filter = \"Chile\"\nNSPredicate(format: \"place CONTAINS '\\(filter)'\")", #"place CONTAINS "Chile""#),
    ("let filter = \"felt > 1\"\nNSPredicate(format: \"\\(filter) AND magnitude > 5\")", "felt > 1 AND magnitude > 5"),
    (
      #"NSPredicate(format: "felt > %d AND place == '\(a)' AND magnitude > %f", 1, 2.5)"#,
      "felt > 1 AND place == $a AND magnitude > 2.5"
    ),
    (
      #"NSPredicate(format: "place.length > 3 AND station.name.length == 2")"#,
      "length(place) > 3 AND length(station.name) == 2"
    ),
    (#"NSPredicate(format: "time > %@", quake.time! as NSDate)"#, "time > $time"),
    (
      #"NSPredicate(format: "station == %@ AND code == %@", station.objectID, person.name)"#,
      "station == $stationID AND code == $name"
    ),
    (#"NSPredicate(format: "code == %@ OR code == %@", a.name, b.name)"#, "code == $name OR code == $name2"),
    (#"NSPredicate(format: "time > %@", Calendar.current.startOfDay(for: date) as CVarArg)"#, "time > $startOfDay"),
    (
      #"\Quake.isReviewed == true && (\.felt > 3 || \Quake.station?.name == name)"#,
      "isReviewed == YES AND (felt > 3 OR station.name == $name)"
    ),
    (
      "func strong(over minimum: Double) -> NSPredicate { NSPredicate(format: \"magnitude > %f\", minimum) }\nlet p = strong(over: 5.5)",
      "magnitude > 5.5"
    ),
    (
      "let minimum = 5\nfunc p(minimum: Double) -> NSPredicate { NSPredicate(format: \"magnitude > %f\", minimum) }",
      "magnitude > $minimum"
    ),
  ])
  func whatTheProgramAroundGivesIsAVariable(text: String, format: String) {
    #expect(ReadingSample.format(text) == format)
  }

  @Test(arguments: [
    ("#Predicate<Quake> { $0.felt > 1 }\n#Predicate<Quake> { $0.felt > 2 }", "severalPredicates"),
    ("let a = #Predicate<Quake> { $0.felt > 1 }\nlet b = #Predicate<Quake> { $0.felt > 2 }", "severalPredicates"),
    ("func p(a: Int) -> NSPredicate { NSPredicate(format: \"felt > %d\", a) }\nlet q = p(b: 5)", "unknownArgument"),
    (#"let p = scope == .all ? nil : NSPredicate(format: "felt > 1")"#, "enumerationCase"),
    (#"let p = isStrong ? other() : NSPredicate(format: "felt > 1")"#, "notAConstant"),
    ("@Query(filter: #Predicate<Report> { $0.score > 1 }) var quakes: [Quake]", "wrongEntity"),
  ])
  func whatHasNoOneMeaningIsRefused(text: String, fact: String) {
    let mistakes = ReadingSample.mistakes(ofPredicate: text)
    #expect(mistakes.count == 1 && mistakes[0].hasPrefix(fact), "\(mistakes)")
  }
}
