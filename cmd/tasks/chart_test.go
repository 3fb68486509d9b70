package tasks

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/assert/v2"
)

func TestChart_plot(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]chart{
		"days": {title: "t", labels: []string{"a", "b", "c"}, lines: []line{{"ideal", []float64{4, 2, 0}, true}, {"left", []float64{4, 3, 1}, false}}},
		"some": {title: "t", labels: []string{"a", "b", "c"}, lines: []line{{"ideal", []float64{4, 2, 0}, true}, {"left", []float64{4, 3, math.NaN()}, false}}},
		"one":  {title: "t", labels: []string{"a"}, lines: []line{{"left", []float64{2}, false}}},
		"zero": {title: "t", labels: []string{"a", "b"}, lines: []line{{"left", []float64{0, 0}, false}}},
	} {
		var b strings.Builder
		c.plot(&b)
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		assert.Equal(t, plotHeight+3, len(lines), "%s:\n%s", name, b.String())
		assert.HasPrefix(t, lines[0], "t   (", "%s:\n%s", name, b.String())
		assert.HasPrefix(t, lines[len(lines)-1], "  a", "%s:\n%s", name, b.String())
		for _, l := range lines {
			assert.True(t, utf8.RuneCountInString(l) <= 80, "%s: %q", name, l)
			assert.NotContains(t, l, "\x1b", "%s", name)
			assert.NotContains(t, l, "NaN", "%s", name)
		}
	}
	var none strings.Builder
	if (chart{}).plot(&none); none.String() != "" {
		t.Errorf("%q", none.String())
	}
}

// FuzzChart_svg: whatever is drawn, the file is XML and has the texts.
func FuzzChart_svg(f *testing.F) {
	f.Add("a & b", "<x>", 3.0, 0.5, true)
	f.Add("\x00\x01é", "\xff", 1e9, 0.0, false)
	f.Fuzz(func(t *testing.T, title, label string, a, b float64, bars bool) {
		for _, v := range []float64{a, b} {
			if math.IsNaN(v) || v < 0 || v > 1e12 {
				return
			}
		}
		c := chart{title: title, labels: []string{label, "x"}, bars: bars, lines: []line{{"one", []float64{a, b}, true}, {"two", []float64{b, a}, false}}}
		decoder := xml.NewDecoder(strings.NewReader(string(c.svg())))
		for {
			_, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%v in %s", err, c.svg())
			}
		}
	})
}

func TestAmount(t *testing.T) {
	t.Parallel()
	for n, want := range map[float64]string{0: "0", 3: "3", 2.5: "2.5", 1.0 / 3: "0.33", 100: "100"} {
		assert.Equal(t, want, amount(n), "%g", n)
	}
}
