package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// sample draws one of everything.
func sample(o Options, text string) []byte {
	p := New(o)
	p.Rect(Box{X: 1, Y: 2.25, Width: 30, Height: 10, Round: 3}, BoxDone)
	p.Text(Label{X: 5, Y: 9, Text: text, Anchor: Middle, Size: 14, Bold: true}, OnDone)
	p.Line([]Point{{0, 0}, {5, 5}}, Axis)
	p.Arrow(Point{0, 0}, Point{20, 15}, 4, Link)
	p.Arc(Point{20, 5}, Point{0, 0}, 20, Wrong)
	p.Group(text, text, func() { p.Text(Label{Text: text}, Faint) })
	return p.Bytes()
}

// readXML returns the elements and texts of a document, and an error if it is not well formed.
func readXML(src []byte) (elements []xml.StartElement, texts string, err error) {
	d := xml.NewDecoder(bytes.NewReader(src))
	var all strings.Builder
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return elements, all.String(), nil
		}
		if err != nil {
			return nil, "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			elements = append(elements, t.Copy())
		case xml.CharData:
			all.Write(t)
		}
	}
}

// checkPicture reports what a picture breaks of the rules of the package.
func checkPicture(src []byte) error {
	elements, _, err := readXML(src)
	if err != nil {
		return err
	}
	for _, e := range elements {
		if e.Name.Local == "script" || e.Name.Local == "foreignObject" || e.Name.Local == "image" || e.Name.Local == "use" {
			return errors.New("it has an element " + e.Name.Local)
		}
		for _, a := range e.Attr {
			value := strings.ToLower(a.Value)
			if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" && strings.Contains(value, "script:") {
				return errors.New("it can run " + a.Name.Local + "=" + a.Value)
			}
			if strings.Contains(value, "url(") && !strings.Contains(value, "url(#") {
				return errors.New("it refers to " + a.Value)
			}
		}
	}
	return nil
}

func TestPicture(t *testing.T) {
	t.Parallel()
	src := sample(Options{Name: "x", Title: "A <title>", Description: "It's \"this\" & that", Width: 40, Height: 20.5}, "a<b>&\x00\x1b[2J\xff")
	assert.NoError(t, checkPicture(src))
	elements, texts, err := readXML(src)
	assert.NoError(t, err)
	assert.Contains(t, texts, "A <title>")
	assert.Contains(t, texts, `It's "this" & that`)
	assert.Contains(t, texts, "a<b>&[2J\uFFFD")
	root := map[string]string{}
	for _, a := range elements[0].Attr {
		root[a.Name.Local] = a.Value
	}
	assert.Equal(t, "img", root["role"])
	assert.Equal(t, "0 0 40 20.5", root["viewBox"])
	assert.Equal(t, "x-title x-description", root["aria-labelledby"])
	linked := sample(Options{Name: "x", Links: true}, "specs/a.html")
	assert.True(t, bytes.Contains(linked, []byte(`role="group"`)), "%s", linked)
	assert.True(t, bytes.Contains(linked, []byte(`<a href="specs/a.html">`)), "%s", linked)
}

func TestAllowed(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]bool{
		"a.html": true, "../a.html#x:y": true, "/a:b": true, "?q=a:b": true, "#a": true, "https://example.com": true, "HTTP://example.com": true,
		"javascript:alert(1)": false, " JavaScript:alert(1)": false, "java\nscript:x": false, "data:text/html,x": false, "vbscript:x": false,
	} {
		assert.Equal(t, want, isAllowedTarget(target), "%v", !want)
	}
}

// luminance is the relative luminance of a colour #rrggbb by WCAG 2.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	sum := 0.0
	for i, share := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		assert.NoError(t, err)
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += share * c
	}
	return sum
}

// TestShades_contrast: texts have a contrast of 4.5 to 1 on everything behind them, and lines 3 to 1, in both schemes.
func TestShades_contrast(t *testing.T) {
	t.Parallel()
	behind := map[string]shade{}
	for _, s := range shades() {
		if s.property == "fill" && (s.selector == ".back" || s.selector == ".box") {
			behind[s.selector] = s
		}
	}
	assert.Equal(t, 2, len(behind), "%v", behind)
	contrast := func(a, b string) float64 {
		x, y := luminance(t, a), luminance(t, b)
		return (max(x, y) + 0.05) / (min(x, y) + 0.05)
	}
	for _, s := range shades() {
		least := 3.0
		switch {
		case s.selector == ".axis" || behind[s.selector] == s:
			continue // lines behind values say nothing
		case s.selector == ".ink" || s.selector == ".faint" || strings.HasPrefix(s.selector, ".on-"):
			least = 4.5
		}
		for name, back := range behind {
			light, dark := contrast(s.light, back.light), contrast(s.dark, back.dark)
			assert.False(t, light < least, "%s %s on %s: %.1f light, %.1f dark, want %.1f", s.selector, s.property, name, light, dark, least)
			assert.False(t, dark < least, "%s %s on %s: %.1f light, %.1f dark, want %.1f", s.selector, s.property, name, light, dark, least)
		}
	}
}

// FuzzPicture: whatever texts and targets contain, a picture is well-formed and runs nothing.
func FuzzPicture(f *testing.F) {
	f.Add("javascript:alert(1)", 1.5)
	f.Add("</title><script>x</script>]]>\xff\x00&#x0;", math.NaN())
	f.Fuzz(func(t *testing.T, text string, size float64) {
		src := sample(Options{Name: "x", Title: text, Description: text, Width: size, Height: 1, Links: true}, text)
		assert.NoError(t, checkPicture(src), "%q: %s", text, src)
	})
}

func TestNiceStep(t *testing.T) {
	t.Parallel()
	for most, want := range map[float64]float64{0: 1, 1: 0.5, 5: 2, 7: 2, 20: 5, 99: 50, 1000: 500} {
		got := niceStep(most)
		assert.False(t, math.Abs(got-want) > 1e-9, "%g: %g, want %g", most, got, want)
	}
}

// TestChart draws bars side by side with their values, and a line only through the values that there are.
func TestChart(t *testing.T) {
	t.Parallel()
	c := Chart{
		Title: "T", Labels: []string{"a", "b"}, Of: "Week ", Bars: true, Whole: true, Text: func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) },
		Series: []Series{{Name: "one", Values: []float64{1, 2}, Class: Value}, {Name: "two", Values: []float64{0, 4}, Class: Ideal}},
	}
	draw := func() string {
		p := New(Options{Name: "x", Width: 400, Height: 200})
		p.Chart(c, Box{X: 50, Y: 50, Width: 200, Height: 100})
		return string(p.Bytes())
	}
	svg := draw()
	for _, want := range []string{
		`<title>Week a: 1 one</title>`, `<title>Week b: 4 two</title>`, `<rect class="value" x="65" y="125" width="35" height="25"/>`,
		`<rect class="other dashed" x="200" y="50" width="35" height="100"/>`, `<text class="faint" x="42" y="54" text-anchor="end" font-size="11">4</text>`,
	} {
		assert.Contains(t, svg, want)
	}
	c.Bars, c.Series[1].Values = false, []float64{4, math.NaN()}
	for _, want := range []string{`<path class="value" d="M50 125L250 100"/>`, `<path class="other dashed" d="M50 50"/>`} {
		assert.Contains(t, draw(), want)
	}
}
