package chart

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// wellFormed fails unless a drawing is XML.
func wellFormed(t *testing.T, drawing string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(drawing))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v\n%s", err, drawing)
		}
	}
}

func TestMonths(t *testing.T) {
	t.Parallel()
	if got := Months(nil); got != "" {
		t.Errorf("without bars: %s", got)
	}
	got := Months([]Bar{{"2026-01", 3, 0}, {"<b>", 0, 1000}})
	wellFormed(t, got)
	for _, want := range []string{"2026-01: 3", "&lt;b&gt;: 1000", `height="120"`, `height="2"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}
