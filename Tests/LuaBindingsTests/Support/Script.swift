import LuaBindings
import LuaRuntime
import Stores
import Testing

/// An engine that runs scripts and tells what came of them.
final class Script {
  let engine: Engine
  /// What must last as long as the script: files that it has open.
  var keeps: [AnyObject] = []

  init(_ options: Engine.Options = Engine.Options()) throws { engine = try Engine(options) }

  /// An engine with the sample model in a store in memory, entities as globals.
  static func sample() throws -> Script {
    let script = try Script()
    try script.run(Self.model)
    return script
  }

  deinit { engine.close() }

  /// Runs a chunk.
  @discardableResult
  func run(_ chunk: String) throws -> [LuaReference] { try engine.evaluate(chunk, name: "=test") }

  /// The values of a chunk as `tostring` shows them.
  func values(_ chunk: String) throws -> [String] {
    try run(chunk).map { reference in
      engine.lua.stack.push(reference)
      defer { engine.lua.stack.pop() }
      return try engine.lua.stack.toDisplayString(at: -1)
    }
  }

  /// The value of a chunk as `tostring` shows it.
  func value(_ chunk: String) throws -> String { try values(chunk).joined(separator: " ") }

  /// What the error of a chunk says; nil if it has none.
  func error(_ chunk: String) -> String? {
    do {
      try run(chunk)
      return nil
    } catch {
      return engine.report(error).message
    }
  }

  /// Earthquakes with reports and stations, and one kind of everything else.
  static let model = """
    local model = Model {
      Quake = Entity {
        code = String { unique = true },
        magnitude = Double { min = 0, max = 10, default = 0 },
        place = String { indexed = true },
        time = Date { indexed = true },
        day = Derived { type = String, "day(time)" },
        felt = Int,
        isReviewed = Bool,
        reports = ToMany "Report" { inverse = "quake", deleteRule = "cascade" },
        stations = ToMany "Station" { inverse = "quakes" },
        _ = { order = { "code", "magnitude", "place", "time" }, indexes = { { "magnitude", "time" } } },
      },
      Report = Entity { text = String, score = Integer16, quake = ToOne "Quake" { inverse = "reports" } },
      Station = Entity { name = String { optional = false }, quakes = ToMany "Quake" { inverse = "stations" } },
      Everything = Entity {
        i16 = Integer16, i32 = Integer32, i64 = Int, decimal = Decimal, double = Double, float = Float, string = String,
        bool = Bool, date = Date, uuid = UUID, url = URL, data = Data, json = Transformable,
        composite = Composite { elements = { lat = Double, lon = Double } },
      },
    }
    use(open(":memory:", { model = model }))
    """
}
