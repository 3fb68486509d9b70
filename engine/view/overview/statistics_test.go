package overview

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// at is noon of a day of November 2026. The 26th is a Thursday.
func at(day int) time.Time { return time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC) }

// sample is four weeks of a project.
func sample() (Facts, Period) {
	return Facts{
		Specs: []Spec{
			{"a", at(1), at(3)}, {"b", at(2), at(12)}, {"c", at(10), at(12)}, {"d", at(11), at(26)}, {"e", time.Time{}, at(26)},
			{"old", at(1).AddDate(0, -2, 0), at(1).AddDate(0, -1, 0)}, {"later", at(20), at(29)}, {"odd", at(20), at(19)},
		},
		Journals: []Journal{
			{ID: "a", Tries: 1, Sessions: []Session{{Provider: "claude", Model: "large", At: at(3).Unix(), Input: 1000, Cached: 500, Output: 200, Seconds: 60, CostUSD: 1.5}}},
			{ID: "b", Tries: 3, Sessions: []Session{
				{Provider: "claude", Model: "large", At: at(11).Unix(), Input: 2_000_000, Output: 300_000, Seconds: 600, CostUSD: 4},
				{Provider: "claude", Model: "large", At: at(12).Unix(), Seconds: 30, CostUnknown: true, TokensUnknown: true},
				{Provider: "shell", At: at(12).Unix(), Seconds: 2, CostUnknown: true, TokensUnknown: true},
			}, Outcomes: []Outcome{
				{"Tests pass", at(11).Unix(), 1, "t1", false, false}, {"Tests pass", at(11).Unix(), 1, "t1", true, false},
				{"Tests pass", at(12).Unix(), 2, "t2", false, false}, {"Tests pass", at(12).Unix(), 3, "t3", true, true},
				{"Builds", at(11).Unix(), 1, "t1", true, false}, {"Builds", at(12).Unix(), 2, "t2", true, false},
			}},
			{ID: "c", Tries: 2, Outcomes: []Outcome{{"Lints", at(11).Unix(), 1, "u1", false, false}, {"Lints", at(12).Unix(), 2, "u2", true, false}}},
			{ID: "old", Tries: 1, Sessions: []Session{{Provider: "claude", At: at(1).AddDate(0, -1, 0).Unix(), CostUSD: 100}}, Outcomes: []Outcome{
				{"Tests pass", 1, 1, "t", false, false}, {"Tests pass", 2, 1, "t", true, false},
			}},
		},
	}, Period{at(2), at(26)}
}

// TestCompute compares the figures of the sample with a file.
func TestCompute(t *testing.T) {
	t.Parallel()
	s := Compute(sample())
	text, err := json.MarshalIndent(s, "", "  ")
	assert.NoError(t, err)
	compare(t, "sample.json", append(text, '\n'))
	compare(t, "sample.svg", s.SVG("stats", "Work on <chant>"))
	compare(t, "empty.svg", Compute(Facts{}, Period{at(2), at(26)}).SVG("stats", "Nothing"))
	compare(t, "sample.txt", []byte(strings.Join(append(s.Sentences(), s.Agents[0].Sentence(), s.Agents[1].Sentence()), "\n")+"\n"))
}

// compare compares a text with a file, or writes it.
func compare(t *testing.T, name string, text []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") == "1" {
		assert.NoError(t, os.WriteFile(file, text, 0o644))
	}
	want, err := os.ReadFile(file)
	assert.NoError(t, err, "%s is", name)
	assert.Equal(t, bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n")), text, "%s is", name)
}

// TestCompute_unknown: without facts, figures are missing and not zero; lists are empty, not null.
func TestCompute_unknown(t *testing.T) {
	t.Parallel()
	s := Compute(Facts{}, Period{Until: at(26)})
	text, err := json.Marshal(s)
	assert.NoError(t, err)
	assert.Zero(t, s.LeadTime.Median)
	assert.Zero(t, s.FirstAttempt.Rate)
	assert.Zero(t, s.Total.CostUSD)
	assert.False(t, bytes.Contains(text, []byte("null")), "%s, %v", text, err)
	assert.Equal(t, 1, len(s.Weeks))
	f, p := sample()
	p.Since = time.Time{}
	all := Compute(f, p)
	assert.Equal(t, 7, all.Landed)
	assert.True(t, all.Since.Equal(at(1).AddDate(0, -1, 0)), "%v %v", all.Landed, all.Since)
	assert.Equal(t, 105.5, *all.Total.CostUSD)
}

func TestPercentile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values      []float64
		median, p90 float64
	}{
		{[]float64{5}, 5, 5}, {[]float64{2, 1}, 1, 2}, {[]float64{3, 1, 2}, 2, 3}, {[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 5, 9},
		{[]float64{11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 6, 10},
	} {
		if median, p90 := percentile(c.values, 50), percentile(c.values, 90); *median != c.median || *p90 != c.p90 {
			t.Errorf("%v: %v, %v", c.values, *median, *p90)
		}
	}
	assert.Zero(t, percentile(nil, 50), "a median of nothing")
}

func TestFlaky_count(t *testing.T) {
	t.Parallel()
	o := func(attempt int, tree string, holds bool) Outcome {
		return Outcome{Criterion: "x", At: 1, Attempt: attempt, Tree: tree, Holds: holds}
	}
	for name, c := range map[string]struct {
		list []Outcome
		want Flaky
	}{
		"always the same":           {[]Outcome{o(1, "a", true), o(1, "a", true), o(2, "b", true)}, Flaky{Checks: 3}},
		"on the same tree":          {[]Outcome{o(1, "a", true), o(1, "a", false)}, Flaky{Checks: 2, Failed: 1, SameTree: 1}},
		"on a tree of before":       {[]Outcome{o(1, "a", true), o(1, "b", true), o(2, "a", false)}, Flaky{Checks: 3, Failed: 1, SameTree: 1}},
		"the agent fixed it":        {[]Outcome{o(1, "a", false), o(2, "b", true)}, Flaky{Checks: 2, Failed: 1, Fixed: 1}},
		"the agent broke it":        {[]Outcome{o(1, "a", true), o(2, "b", false)}, Flaky{Checks: 2, Failed: 1, Broke: 1}},
		"within an attempt":         {[]Outcome{o(1, "a", true), o(1, "b", false)}, Flaky{Checks: 2, Failed: 1}},
		"on unknown trees":          {[]Outcome{o(1, "", true), o(1, "", false), o(2, "", true)}, Flaky{Checks: 3, Failed: 1, Fixed: 1}},
		"it passed when tried anew": {[]Outcome{{Criterion: "x", Holds: true, Retried: true}}, Flaky{Checks: 1, SameTree: 1}},
	} {
		var got Flaky
		if got.count(c.list); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestSparkline(t *testing.T) {
	t.Parallel()
	for want, values := range map[string][]float64{
		"": nil, "▁▁▁": {0, 0, 0}, "█": {3}, "▂▅█▁": {1, 4, 8, 0}, "▂█": {0.001, 100}, "▁█": {-1, 2}, "████": {7, 7, 7, 7},
	} {
		assert.Equal(t, want, Sparkline(values), "%v", values)
	}
}

// TestWeeksOf: weeks begin on Monday, also where clocks change, and there are at most maxWeeks.
func TestWeeksOf(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	p := Period{time.Date(2026, 10, 12, 0, 0, 0, 0, berlin), time.Date(2026, 11, 2, 0, 0, 0, 0, berlin)}
	var got []string
	for _, w := range weeksOf(p) {
		got = append(got, w.Begins)
	}
	assert.Equal(t, "2026-10-12 2026-10-19 2026-10-26 2026-11-02", strings.Join(got, " "))
	assert.Equal(t, maxWeeks, len(weeksOf(Period{time.Unix(0, 0), at(26)})))
}

// FuzzCompute: whatever journals contain, figures can be computed, written and drawn.
func FuzzCompute(f *testing.F) {
	f.Add("claude", int64(1), 5.0, int64(100), true)
	f.Add("<x>\xff", int64(-1<<60), math.Inf(1), int64(1<<40), false)
	f.Fuzz(func(t *testing.T, text string, when int64, cost float64, span int64, unknown bool) {
		until := at(26)
		landed := time.Unix(when%(1<<33), 0)
		if math.IsNaN(cost) || math.IsInf(cost, 0) {
			cost = 0
		}
		s := Compute(Facts{
			Specs: []Spec{{text, landed.Add(-time.Duration(span % (1 << 50))), landed}},
			Journals: []Journal{{
				ID: text, Tries: int(span % 5), Sessions: []Session{{Provider: text, Model: text, At: when % (1 << 33), CostUSD: cost, CostUnknown: unknown, Seconds: cost}},
				Outcomes: []Outcome{{text, when, 1, text, unknown, !unknown}, {text, span, 2, text, !unknown, unknown}},
			}},
		}, Period{Until: until})
		_, err := json.Marshal(s)
		assert.NoError(t, err)
		d := xml.NewDecoder(bytes.NewReader(s.SVG("x", text)))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		line := Sparkline(s.LandedByWeek())
		assert.Equal(t, len(s.Weeks), len([]rune(line)), "%q has another length than", line)
	})
}
