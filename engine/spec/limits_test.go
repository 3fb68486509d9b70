package spec

import (
	"encoding/json"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	read := func(src string) Limits {
		var l Limits
		if err := yaml.Unmarshal([]byte(src), &l); err != nil {
			t.Errorf("%s: %s", src, err)
		}
		return l
	}
	usual := read("{cost: 2, tokens: 1_000, turns: 9, time: 60m}")
	for src, want := range map[string]string{
		"{}":                         `{"cost":2,"time":"1h0m0s","tokens":1000,"turns":9}`,
		"{cost: 0, time: 0}":         `{"cost":0,"time":0,"tokens":1000,"turns":9}`,
		"{tokens: 5, silence: 30s}":  `{"cost":2,"silence":"30s","time":"1h0m0s","tokens":5,"turns":9}`,
		"{cost: 0.5, turns: 0x10}":   `{"cost":0.5,"time":"1h0m0s","tokens":1000,"turns":16}`,
		"{cost: 0, tokens: 0}":       `{"cost":0,"time":"1h0m0s","tokens":0,"turns":9}`,
		"{silence: 0, turns: 1_000}": `{"cost":2,"silence":0,"time":"1h0m0s","tokens":1000,"turns":1000}`,
	} {
		over := read(src).WithDefaults(usual)
		got, err := json.Marshal(over)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", src, got, err, want)
		}
		again, err := yaml.Marshal(over)
		if err != nil || read(string(again)) != over {
			t.Errorf("%s: written as %s, %v", src, again, err)
		}
	}
	for _, src := range []string{"{cost: -1}", "{cost: x}", "{tokens: 1.5}", "{turns: -2}", "{time: soon}", "{money: 1}", "[1]", "{cost: .nan}"} {
		var l Limits
		if err := yaml.Unmarshal([]byte(src), &l); err == nil {
			t.Errorf("%s is read as %+v", src, l)
		}
	}
	if got := read("{cost: 1, tokens: 10, turns: 2, time: 5m}").Share(4); got.Cost != 0.25 || got.Tokens != 2 || got.Turns != 1 || got.Time == 0 {
		t.Errorf("a fourth is %+v", got)
	}
	if got := read("{cost: 0, tokens: 1}").Share(3); got.Cost >= 0 || got.Tokens != 1 {
		t.Errorf("a third of nothing is %+v", got)
	}
}

// A share of any size can be written to a file and read again.
func TestLimits_Share(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 7, 1000} {
		for size := 1; size <= 1e17; size *= 10 {
			for _, all := range []int{size, size - 1, size + 1, 9 * size} {
				cost := min(Dollars(all)/1e6, 1e9)
				want := Limits{Cost: cost, Tokens: Amount(all), Turns: Amount(all / 2), Time: Span(all), Silence: -1}.Share(n)
				text, err := yaml.Marshal(want)
				if err != nil {
					t.Fatal(err)
				}
				var got Limits
				if err := yaml.Unmarshal(text, &got); err != nil || got != want {
					t.Errorf("%+v is written as\n%s and read as %+v, %v", want, text, got, err)
				}
			}
		}
	}
}

func TestLimits_LimitReached(t *testing.T) {
	t.Parallel()
	usd := func(v float64) *float64 { return &v }
	l := Limits{Cost: 2, Tokens: 100, Turns: 5}
	for _, tt := range []struct {
		use  Use
		want string
	}{
		{Use{}, ""},
		{Use{Cost: usd(1.99), Tokens: 99, Turns: 4}, ""},
		{Use{Cost: usd(2)}, "cost limit of the spec reached: $2.00 of $2.00"},
		{Use{Tokens: 100}, "token limit of the spec reached: 100 of 100"},
		{Use{Turns: 7}, "turn limit of the spec reached: 7 of 5"},
	} {
		if got := l.LimitReached("spec", tt.use); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.use, got, tt.want)
		}
	}
	for limit, want := range map[Dollars]string{
		0.001: "$0.0312 of $0.0010", 0.015: "$0.0312 of $0.0150", 0.01: "$0.03 of $0.01", 0.03: "$0.03 of $0.03",
	} {
		if got := (Limits{Cost: limit}).LimitReached("spec", Use{Cost: usd(0.03123)}); got != "cost limit of the spec reached: "+want {
			t.Errorf("%v: %q, want %q", limit, got, want)
		}
	}
	if got := (Limits{Cost: -1, Tokens: -1}).LimitReached("spec", Use{Cost: usd(9), Tokens: 9}); got != "" {
		t.Errorf("a limit that was lifted: %q", got)
	}
}
