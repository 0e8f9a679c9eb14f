#include "painting.h"

#include <map>
#include <string>

namespace {

// The limit for nested forms.
const int mostDepth = 16;

/// Reads one stream, of the page or of a form.
class Contents : public QPDFObjectHandle::ParserCallbacks {
  public:
    Contents(Painting &painting, QPDFObjectHandle resources, int depth)
        : painting(painting), resources(resources), depth(depth) {}

    void handleObject(QPDFObjectHandle object, size_t, size_t) override {
        if (object.isOperator()) {
            execute(object.getOperatorValue());
            operands.clear();
            if (painting.isOver) terminateParsing();
        } else if (!object.isInlineImage() && operands.size() < 256) {
            operands.push_back(object);
        }
    }

    void handleEOF() override {}

  private:
    Painting &painting;
    QPDFObjectHandle resources;
    int depth;
    std::vector<QPDFObjectHandle> operands;
    std::vector<State> saved;
    double inlineColumns = 0, inlineRows = 0;

    using Action = void (Contents::*)();

    void execute(const std::string &name) {
        static const std::map<std::string, Action> actions = {
            {"q", &Contents::save},
            {"Q", &Contents::restore},
            {"cm", &Contents::concatenate},
            {"gs", &Contents::readState},
            {"re", &Contents::addRectangle},
            {"m", &Contents::moveTo},
            {"l", &Contents::addPoint},
            {"c", &Contents::addOther},
            {"v", &Contents::addOther},
            {"y", &Contents::addOther},
            {"W", &Contents::clip},
            {"W*", &Contents::clip},
            {"n", &Contents::endPath},
            {"f", &Contents::fill},
            {"F", &Contents::fill},
            {"f*", &Contents::fill},
            {"B", &Contents::fill},
            {"B*", &Contents::fill},
            {"b", &Contents::fill},
            {"b*", &Contents::fill},
            {"S", &Contents::paint},
            {"s", &Contents::paint},
            {"sh", &Contents::paint},
            {"Do", &Contents::draw},
            {"ID", &Contents::beginInlineImage},
            {"EI", &Contents::endInlineImage},
            {"Tr", &Contents::setTextMode},
            {"Tj", &Contents::showText},
            {"TJ", &Contents::showText},
            {"'", &Contents::showText},
            {"\"", &Contents::showText},
            {"cs", &Contents::setSpace},
            {"sc", &Contents::setColor},
            {"scn", &Contents::setColor},
            {"g", &Contents::setDeviceColor},
            {"rg", &Contents::setDeviceColor},
            {"k", &Contents::setDeviceColor},
            {"BDC", &Contents::beginMarked},
        };
        auto action = actions.find(name);
        if (action != actions.end()) (this->*action->second)();
    }

    /// The operands, if there are `count`, and all are numbers.
    std::optional<std::vector<double>> numbers(size_t count) {
        return operands.size() == count ? numbersOf(operands) : std::nullopt;
    }

    QPDFObjectHandle resource(const char *kind) {
        auto named = resources.isDictionary() ? resources.getKey(kind) : QPDFObjectHandle::newNull();
        if (!named.isDictionary() || operands.empty() || !operands.back().isName())
            return QPDFObjectHandle::newNull();
        return named.getKey(operands.back().getName());
    }

    void save() {
        // A limit for streams that only save states.
        if (saved.size() < 4096)
            saved.push_back(painting.state);
        else
            painting.paint();
    }

    void restore() {
        if (saved.empty()) return;
        painting.state = saved.back();
        saved.pop_back();
    }

    void concatenate() {
        if (auto m = numbers(6))
            painting.state.matrix =
                Matrix{(*m)[0], (*m)[1], (*m)[2], (*m)[3], (*m)[4], (*m)[5]}.then(painting.state.matrix);
    }

    void readState() {
        auto state = resource("/ExtGState");
        if (!state.isDictionary()) return;
        auto alpha = state.getKey("/ca"), mask = state.getKey("/SMask"), mode = state.getKey("/BM");
        bool isPlain = (!alpha.isNumber() || alpha.getNumericValue() == 1) && !mask.isDictionary()
            && (mode.isNull() || mode.isNameAndEquals("/Normal") || mode.isNameAndEquals("/Compatible"));
        if (!isPlain) painting.state.isOpaque = false;
    }

    void addRectangle() {
        auto n = numbers(4);
        if (!n) {
            painting.path.hasOther = true;
            return;
        }
        double x = (*n)[0], y = (*n)[1], right = x + (*n)[2], top = y + (*n)[3];
        const Matrix &m = painting.state.matrix;
        painting.path.add(x, y, m);
        painting.path.add(right, y, m);
        painting.path.add(right, top, m);
        painting.path.add(x, top, m);
    }

    void addPoint() {
        if (auto n = numbers(2))
            painting.path.add((*n)[0], (*n)[1], painting.state.matrix);
        else
            painting.path.hasOther = true;
    }

    /* A move begins a new part of the path. */
    void moveTo() {
        if (!painting.path.corners.empty()) painting.path.hasOther = true;
        addPoint();
    }

    void addOther() { painting.path.hasOther = true; }
    void clip() { painting.path.isClip = true; }
    void endPath() { painting.endPath(); }
    void fill() { painting.fill(); }
    void paint() { painting.paint(); }

    void draw() {
        auto object = resource("/XObject");
        if (!object.isStream()) return;
        auto dictionary = object.getDict();
        // Content of a layer may be hidden.
        if (dictionary.hasKey("/OC"))
            painting.paint();
        else if (object.isImage(false))
            drawImage(dictionary, "/Width", "/Height");
        else if (object.isFormXObject())
            drawForm(object);
    }

    void drawImage(QPDFObjectHandle dictionary, const char *width, const char *height) {
        auto columns = dictionary.getKey(width), rows = dictionary.getKey(height);
        painting.image(
            columns.isInteger() ? static_cast<double>(columns.getIntValue()) : 0,
            rows.isInteger() ? static_cast<double>(rows.getIntValue()) : 0);
    }

    void drawForm(QPDFObjectHandle form) {
        if (depth >= mostDepth) {
            painting.paint();
            return;
        }
        State outside = painting.state;
        auto dictionary = form.getDict();
        if (auto matrix = dictionary.getKey("/Matrix"); matrix.isMatrix()) {
            auto m = matrix.getArrayAsMatrix();
            painting.state.matrix = Matrix{m.a, m.b, m.c, m.d, m.e, m.f}.then(painting.state.matrix);
        }
        if (auto box = dictionary.getKey("/BBox"); box.isRectangle()) {
            auto b = box.getArrayAsRectangle();
            if (!painting.state.matrix.keepsAxes()) painting.state.isClipKnown = false;
            painting.state.clip = painting.state.clip.intersected(
                Box{b.llx, b.lly, b.urx, b.ury}.mapped(painting.state.matrix));
        }
        auto own = dictionary.getKey("/Resources");
        Contents contents(painting, own.isDictionary() ? own : resources, depth + 1);
        form.parseAsContents(&contents);
        painting.state = outside;
    }

    void beginInlineImage() {
        inlineColumns = inlineRows = 0;
        for (size_t index = 0; index + 1 < operands.size(); index += 2) {
            if (!operands[index].isName() || !operands[index + 1].isInteger()) continue;
            auto key = operands[index].getName();
            auto value = static_cast<double>(operands[index + 1].getIntValue());
            if (key == "/W" || key == "/Width") inlineColumns = value;
            if (key == "/H" || key == "/Height") inlineRows = value;
        }
    }

    void endInlineImage() { painting.image(inlineColumns, inlineRows); }

    void setTextMode() {
        if (operands.size() == 1 && operands[0].isInteger())
            painting.state.textMode = operands[0].getIntValueAsInt();
    }

    /* Invisible text does not count: text recognition adds it to scans. */
    void showText() {
        if (painting.state.textMode != 3) painting.paint();
    }

    void setSpace() {
        if (operands.size() != 1) return;
        auto spaces =
            resources.isDictionary() ? resources.getKey("/ColorSpace") : QPDFObjectHandle::newNull();
        painting.state.components = componentsOf(operands[0], spaces);
        painting.state.color = painting.state.components ? std::optional(Color{0, 0, 0}) : std::nullopt;
    }

    void setColor() { painting.state.color = colorOf(operands, painting.state.components); }

    void setDeviceColor() {
        painting.state.components = static_cast<int>(operands.size());
        setColor();
    }

    void beginMarked() {
        if (!operands.empty() && operands[0].isNameAndEquals("/OC")) painting.paint();
    }
};

}  // namespace

void readContents(QPDFPageObjectHelper &page, const cd_objects_place &place, Objects &objects) {
    Painting painting({place.box[0], place.box[1], place.box[2], place.box[3]});
    Contents contents(painting, page.getAttribute("/Resources", false), 0);
    page.parseContents(&contents);
    objects.sheetColor = painting.sheet;
    if (painting.isPicture) objects.picture = painting.picture(objects.turns);
}
