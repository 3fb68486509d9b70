#include <vector>

namespace app::store {

// A shape.
template <typename T>
class Shape : public Base<T>, private detail::Mixin {
public:
    explicit Shape(int n) : n_(n) { init(); }
    virtual ~Shape() = default;
    int area() const override { return n_ * scale(); }
    virtual void draw(Canvas &c);
    T operator[](int i) const { return data_[i]; }
private:
    int n_;
    std::vector<T> data_;
};

enum class Color : int { Red, Green };

using Row = std::vector<int>;

struct Point { int x; int y; };

template <typename T>
T max(T a, T b) { return a > b ? a : b; }

}  // namespace app::store

/// Draws it.
void app::Circle::draw(Canvas &c) {
    auto p = new Point();
    c.paint(p);
    std::sort(a.begin(), a.end());
    Helper::run<int>(1);
}

Circle::~Circle() { close(); }

Circle::Circle(int r) : Base(r) {}

static const int limit = 10;

extern "C" {
int c_api(void) { return 1; }
}

int main(int argc, char **argv) {
    return app::run(argc);
}
