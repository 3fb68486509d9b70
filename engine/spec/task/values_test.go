package task

import (
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

func TestParseEffort(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"90m": "1.50h", "2h": "2.00h", "1d 2h": "10.00h", "1d2h": "10.00h", "2 weeks": "80.00h", "1.5h": "1.50h",
		"3": "3pt", "3pt": "3pt", "5 points": "5pt", "2.5p": "2.5pt", "0": "0pt", " 8H ": "8.00h", "1h 30min": "1.50h",
		"16.00h": "16.00h", "2p 3p": "5pt",
	} {
		got, err := ParseEffort(text)
		assert.NoError(t, err, "ParseEffort(%q)", text)
		assert.Equal(t, want, got.String(), "ParseEffort(%q)", text)
	}
	for _, text := range []string{"", " ", "h", "-1h", "1d 2", "3pt 2h", "1x", "1e400h", "1..2h", "NaN", "99999999h", "1h,2h"} {
		got, err := ParseEffort(text)
		assert.Error(t, err, "ParseEffort(%q) = %q, want an error", text, got)
	}
}

func FuzzParseEffort(f *testing.F) {
	for _, text := range []string{"1d 2h", "3pt", "90m", "0.333h", "x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := ParseEffort(text)
		if err != nil {
			return
		}
		again, err := ParseEffort(e.String())
		assert.NoError(t, err, "%q is stored", text)
		assert.Equal(t, e.String(), again.String(), "%q is stored", text)
	})
}

func TestParseDue(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 23, 30, 0, 0, time.FixedZone("west", -8*3600)) // Tuesday the 24th in UTC
	for text, want := range map[string]string{
		"today": "2026-11-24", "Tomorrow": "2026-11-25", "next week": "2026-12-01", "tuesday": "2026-12-01",
		"wed": "2026-11-25", "next friday": "2026-11-27", "+3d": "2026-11-27", "+ 3 days": "2026-11-27",
		"in 2 weeks": "2026-12-08", "+1bd": "2026-11-25", "+4bd": "2026-11-30", "in 3 business days": "2026-11-27",
		"2026-12-01": "2026-12-01", " 2026-12-01 ": "2026-12-01", "next month": "2026-12-24", "+1y": "2027-11-24",
		"2026-12-01T10:00:00+02:00": "2026-12-01T08:00:00Z", "2026-12-01 10:00": "2026-12-01T10:00:00Z",
	} {
		got, err := ParseDue(text, now)
		assert.NoError(t, err, "ParseDue(%q)", text)
		assert.Equal(t, want, got, "ParseDue(%q)", text)
	}
	for _, text := range []string{"", "soon", "2026-13-01", "2026-02-30", "+d", "3d", "in", "+99999d", "in +3d", "mo", "+3 d x"} {
		got, err := ParseDue(text, now)
		assert.Error(t, err, "ParseDue(%q) = %q, want an error", text, got)
	}
	january := time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC)
	got, _ := ParseDue("next month", january)
	assert.Equal(t, "2027-02-28", got, "a month after January 31")
}

func FuzzParseDue(f *testing.F) {
	for _, text := range []string{"+3d", "next friday", "2026-12-01T10:00:00+02:00", "in 3 business days"} {
		f.Add(text)
	}
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		due, err := ParseDue(text, now)
		if err != nil {
			return
		}
		again, err := ParseDue(due, now)
		assert.NoError(t, err, "%q is stored", text)
		assert.Equal(t, due, again, "%q is stored", text)
	})
}

func TestPrefix(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"web": "WEB", "auth": "AUTH", "a-b": "AB", "payments": "PAYM", "my-cool-project": "MCP", "one_two three.four-five": "OTTF",
		"001": "TASK", "3d-engine": "E", "": "TASK", "---": "TASK", "münchen": "MN", "Platform Services": "PS",
	} {
		assert.Equal(t, want, Prefix(name), "Prefix(%q)", name)
	}
}

func TestParseKey(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		prefix string
		n      int
	}{"AUTH-12": {"AUTH", 12}, "auth-1": {"auth", 1}, "MY-APP-3": {"MY-APP", 3}, "A_B-9": {"A_B", 9}, "x-1": {"x", 1}} {
		prefix, n, ok := ParseKey(text)
		assert.True(t, ok, "ParseKey(%q) = %q, %d, %v", text, prefix, n, ok)
		assert.Equal(t, want.prefix, prefix)
		assert.Equal(t, want.n, n)
		assert.Equal(t, text, Key(prefix, n))
	}
	for _, text := range []string{
		"", "AUTH", "AUTH-", "-1", "AUTH-0", "AUTH-01", "AUTH-1a", "2026-11-23-001-abc", "2026-11-23-1", "app-2026-11-23-1",
		"@sprints-1", "A B-1", "AUTH-9999999999", "ABCDEFGHIJKLMNOPQRSTU-1", "AUTH--1", "a/b-1", "001-1", "_A-1",
	} {
		prefix, n, ok := ParseKey(text)
		assert.False(t, ok, "ParseKey(%q) = %q, %d, want none", text, prefix, n)
	}
}

func FuzzParseKey(f *testing.F) {
	f.Add("AUTH-12")
	f.Add("2026-11-23-001-abc")
	f.Fuzz(func(t *testing.T, text string) {
		prefix, n, ok := ParseKey(text)
		assert.False(t, ok && Key(prefix, n) != text, "ParseKey(%q) = %q, %d", text, prefix, n)
	})
}

func TestCompareKeys(t *testing.T) {
	t.Parallel()
	inOrder := []string{"", "A", "A-1", "A-2", "A-10", "AB-1", "B-1", "b-2", "X2-1", "X10-1"}
	for i, a := range inOrder {
		for j, b := range inOrder {
			got := CompareKeys(a, b)
			assert.Equal(t, i < j, got < 0, "CompareKeys(%q, %q)", a, b)
			assert.Equal(t, i > j, got > 0, "CompareKeys(%q, %q)", a, b)
		}
	}
}

func FuzzCompareKeys(f *testing.F) {
	f.Add("A-1", "A-01")
	f.Fuzz(func(t *testing.T, a, b string) {
		if CompareKeys(a, b) != -CompareKeys(b, a) || CompareKeys(a, b) == 0 != (a == b) {
			t.Errorf("%q and %q are in no order", a, b)
		}
	})
}

func TestMembers(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "ada", NormalizeMember(" @ada "), "names are not normalised")
	assert.Equal(t, Me, NormalizeMember("@ME"), "names are not normalised")
	assert.Equal(t, Me, NormalizeMember("@me"), "names are not normalised")
	assert.True(t, SameMember("@Ada", "ada "), "names are not compared without case and @")
	assert.False(t, SameMember("ada", "bob"), "names are not compared without case and @")
	st := Settings{StrictMembers: true, Project: "AUTH", Members: []string{"ada"}}
	assert.NoError(t, st.CheckMember("assignee", "@ADA"))
	err := st.CheckMember("assignee", "bob")
	want := "Assignee 'bob' is not in configured members for project 'AUTH'. Allowed members: ada"
	assert.Error(t, err)
	assert.Equal(t, want, err.Error())
	st.Members = []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}
	err = st.CheckMember("reporter", "bob")
	want = "Reporter 'bob' is not in configured members for project 'AUTH'. Allowed members: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, … (+2 more)"
	assert.Error(t, err)
	assert.Equal(t, want, err.Error())
	st.Members = nil
	assert.Error(t, st.CheckMember("reporter", "bob"), "a project without members allows everyone")
	assert.NoError(t, st.CheckMember("reporter", ""))
}
