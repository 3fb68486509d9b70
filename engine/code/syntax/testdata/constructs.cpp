module;
#include <vector>
#include "own.hpp"

using namespace std;
using std::string;

namespace a { inline namespace v1 { namespace { int hidden() { return 1; } } } }
namespace b = a::v1;

namespace app {
class Forward;
enum Plain { One, Two };
enum class Scoped : unsigned char { A = 1 };

template <typename T, typename... Rest>
concept Addable = requires(T a, T b) { { a + b } -> std::same_as<T>; };

template <Addable T = int, int N = 3>
struct Array final : virtual public Base<T>, private Mixin {
    using value_type = T;
    static constexpr int size = N;
    static inline int counter = 0;
    Array() = default;
    Array(const Array &) = delete;
    explicit(true) Array(std::initializer_list<T> l) noexcept : Base<T>(l), data_{l} { fill(); }
    ~Array() override;
    Array &operator=(Array &&other) { swap(other); return *this; }
    T &operator[](int i) { return at(i); }
    bool operator()(T x) const { return contains(x); }
    operator bool() const { return !empty(); }
    auto operator<=>(const Array &) const = default;
    friend std::ostream &operator<<(std::ostream &out, const Array &a) { return a.print(out); }
    friend class Helper;
    template <class U> auto map(U f) const -> Array<U> { return apply(f); }
    virtual void pure() = 0;
    static void make();
    [[nodiscard]] constexpr int count() const noexcept { return N; }
    int (*callback)(int);
    int bits : 3;
    struct Nested { void inner() { deep(); } enum { X, Y }; };
    union { int i; float f; };
  protected:
    T data_[N];
};

template <> struct Array<bool, 1> { void special() { once(); } };
template <typename T> using Vec = std::vector<T>;
template <typename T> constexpr T pi = T(3);
typedef std::vector<int> Ints;
extern template class Array<int>;

template <typename T>
requires Addable<T>
T add(T a, T b) { return a + b; }

auto trailing(int x) -> decltype(x) { return compute(x); }
consteval int constant() { return 1; }
}

template <typename T, int N>
void app::Array<T, N>::make() { std::make_unique<T>(); }

template <typename T>
app::Array<T, 3>::~Array() { release(); }

bool operator==(const app::Ints &a, const app::Ints &b) { return equal(a, b); }
long double operator""_km(long double x) { return scale(x); }

int Counter::total = 0;
Counter::operator int() const { return value(); }
std::string Counter::name() const & { return format("x"); }
Counter &Counter::operator++() { bump(); return *this; }

extern "C" int c_function(void);
static auto lambda = [&](int x) mutable -> int { return captured(x); };

struct Pod { int x; } pod{1};

class API_EXPORT Widget : public QObject {
    Q_OBJECT
public slots:
    void clicked();
signals:
    void changed(int value);
};

int main() try { throw Error("x"); } catch (...) { return recover(); }
