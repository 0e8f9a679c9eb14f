// swift-format-ignore-file
// The public names of SwiftUI that the library and snippets use, after its reference:
// https://developer.apple.com/documentation/swiftui. Nothing is drawn.

@_exported import Foundation
@_exported import UIKit

@MainActor public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

public struct Drawn: View {
    public init() {}
    public var body: Drawn { self }
}

@MainActor @resultBuilder public struct ViewBuilder {
    public static func buildBlock<V: View>(_ view: V) -> V { view }
    public static func buildBlock<V: View, W: View>(_ view: V, _ next: W) -> Drawn { Drawn() }
    public static func buildIf<V: View>(_ view: V?) -> V? { view }
    public static func buildEither<V: View>(first view: V) -> Drawn { Drawn() }
    public static func buildEither<V: View>(second view: V) -> Drawn { Drawn() }
}

extension Optional: View where Wrapped: View {
    public var body: Drawn { Drawn() }
}

@MainActor @propertyWrapper public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { (self.get, self.set) = (get, set) }
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
    public var projectedValue: Binding { self }
}

public protocol ObservableObject: AnyObject {}

@MainActor @propertyWrapper public struct Published<Value> {
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public var wrappedValue: Value
}

@MainActor @propertyWrapper public struct ObservedObject<Value: ObservableObject> {
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public var wrappedValue: Value
}

@MainActor @propertyWrapper public struct State<Value> {
    private final class Box { var value: Value; init(_ value: Value) { self.value = value } }
    private let box: Box
    public init(wrappedValue: Value) { box = Box(wrappedValue) }
    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }
}

extension State where Value: ExpressibleByNilLiteral { public init() { self.init(wrappedValue: nil) } }

@MainActor public protocol App {
    associatedtype Body: Scene
    init()
    @SceneBuilder var body: Body { get }
}

extension App { public static func main() { _ = Self().body } }

@MainActor public protocol Scene {}

@MainActor @resultBuilder public struct SceneBuilder {
    public static func buildBlock<S: Scene>(_ scene: S) -> S { scene }
}

public struct WindowGroup: Scene { public init<V: View>(@ViewBuilder content: () -> V) {} }

public struct UIViewRepresentableContext<Representable> {}

@MainActor public protocol UIViewRepresentable: View where Body == Never {
    associatedtype UIViewType: UIView
    typealias Context = UIViewRepresentableContext<Self>
    func makeUIView(context: Context) -> UIViewType
    func updateUIView(_ view: UIViewType, context: Context)
}

extension UIViewRepresentable { public var body: Never { fatalError("a view of UIKit has no body") } }

extension Never: View { public var body: Never { fatalError("there is no such view") } }

public struct Text: View {
    public init(_ text: String) {}
    public var body: Drawn { Drawn() }
}

public struct Button: View {
    public init<V: View>(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> V) {}
    public var body: Drawn { Drawn() }
}

public struct ScrollView: View {
    public init<V: View>(@ViewBuilder content: () -> V) {}
    public var body: Drawn { Drawn() }
}

public struct ViewThatFits: View {
    public enum Axes { case vertical }
    public init<V: View>(in axes: Axes, @ViewBuilder content: () -> V) {}
    public var body: Drawn { Drawn() }
}

public struct VStack: View {
    public init<V: View>(spacing: CGFloat?, @ViewBuilder content: () -> V) {}
    public var body: Drawn { Drawn() }
}

public struct Alignment: Sendable { public static let trailing = Alignment() }

public struct ZStack: View {
    public init<V: View>(alignment: Alignment, @ViewBuilder content: () -> V) {}
    public var body: Drawn { Drawn() }
}

public struct ForEach: View {
    public init<Data: RandomAccessCollection, V: View>(
        _ data: Data, @ViewBuilder content: @escaping (Data.Element) -> V
    ) where Data.Element: Identifiable {
        for element in data { _ = content(element) }
    }
    public var body: Drawn { Drawn() }
}

public struct Font: Sendable {
    public enum Weight { case regular, bold }
    public static let body = Font()
    public func weight(_ weight: Weight) -> Font { self }
}

public struct Color: View, Sendable {
    public static let (white, primary, accentColor, clear) = (Color(), Color(), Color(), Color())
    public var body: Drawn { Drawn() }
}

public struct RoundedRectangle { public init(cornerRadius: CGFloat) {} }

public struct AccessibilityTraits: ExpressibleByArrayLiteral, Sendable {
    public init(arrayLiteral elements: AccessibilityTraits...) {}
    public static let isSelected: AccessibilityTraits = []
}

public enum AccessibilityChildBehavior { case contain }

extension View {
    public func font(_ font: Font) -> some View { self }
    public func frame(minWidth: CGFloat?, minHeight: CGFloat?) -> some View { self }
    public func padding() -> some View { self }
    public func ignoresSafeArea() -> some View { self }
    public func task(_ action: @escaping @MainActor () async -> Void) -> some View { self }
    public func fixedSize() -> some View { self }
    public func fixedSize(horizontal: Bool, vertical: Bool) -> some View { self }
    public func foregroundStyle(_ color: Color) -> some View { self }
    public func background(_ color: Color) -> some View { self }
    public func background(_ material: MaterialName, in shape: RoundedRectangle) -> some View { self }
    public func buttonStyle(_ style: ButtonStyleName) -> some View { self }
    public func accessibilityElement(children: AccessibilityChildBehavior) -> some View { self }
    public func accessibilityLabel(_ text: String) -> some View { self }
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { self }
}

public enum MaterialName { case regularMaterial }
public enum ButtonStyleName { case plain }

public struct UIHostingConfiguration {
    public init<V: View>(@ViewBuilder content: () -> V) {}
    @MainActor public func makeContentView() -> UIView { UIView() }
}
