package import LuaBindings
package import Presentation

/// What a session is made with.
package struct SessionOptions {
  package var engine = Engine.Options()
  /// The mode in which values are shown; nil for the usual one of the client.
  package var mode: OutputMode?
  /// Whether the client receives no remarks but warnings.
  package var isQuiet = false
  /// Whether every error is followed by the calls that led to it.
  package var showsTraces = false
  /// The time limit of scripts, or of each line that is typed, in seconds.
  package var timeout: Double?
  /// Whether the client receives the output of scripts, which else goes to C's streams.
  package var takesScriptOutput = false
  /// The memory limit of the process, in bytes.
  package var processMemoryLimit: Int?
  /// Whether the session is part of another program, whose signals and memory it leaves alone.
  package var isEmbedded = false
  /// The folder of the user's settings; nil for none.
  package var configurationFolder: String?

  package init() {}
}
