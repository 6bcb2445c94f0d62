internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Plots
internal import Presentation
internal import Queries

/// The words that options take, by the name of the option.
enum OptionWords {
  /// The words that an option of a function takes; empty where it takes none in particular.
  static func words(of option: String, of function: String) -> [Completions.Candidate] {
    switch option {
    case "mode": OutputMode.allCases.map { Completions.Candidate($0.rawValue, $0.summary) }
    case "deleteRule": candidates(DeleteRule.self)
    case "resultType" where function == "FetchRequest": candidates(FetchRequest.ResultType.self)
    case "resultType": candidates(BatchResultType.self)
    case "comparator": candidates(SortDescriptor.StringComparator.self)
    case "mergePolicy": candidates(MergePolicy.self)
    case "mark": candidates(PlotDescription.Mark.self)
    case "unit": candidates(CalendarUnit.self)
    case "xScale", "yScale": candidates(PlotDescription.Scale.self)
    case "theme": candidates(SVGPlot.Theme.self)
    default: []
    }
  }

  private static func candidates<Word: RawRepresentable & CaseIterable>(_ words: Word.Type) -> [Completions.Candidate]
  where Word.RawValue == String {
    words.allCases.map { Completions.Candidate($0.rawValue) }
  }
}
