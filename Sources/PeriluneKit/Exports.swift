@_exported public import struct LiveQueries.ResultsChange
// Types of the lower modules in this module's interface, under their own names: a program imports only PeriluneKit.
@_exported public import enum Modeling.AttributeType
@_exported public import enum Modeling.JSON
@_exported public import struct Modeling.ObjectID
@_exported public import enum ObjectGraph.MergePolicy
@_exported public import struct Reactive.Bindable
@_exported public import struct Reactive.Binding
@_exported public import class Reactive.Effect
@_exported public import protocol Reactive.EnvironmentKey
@_exported public import struct Reactive.EnvironmentValues
@_exported public import class Reactive.ObservationToken
@_exported public import class Reactive.PreferenceFile
@_exported public import protocol Reactive.PreferenceRepresentable
@_exported public import enum Reactive.PreferenceValue
@_exported public import class Reactive.State
@_exported public import struct Reactive.Transaction
@_exported public import class Reactive.Turn
