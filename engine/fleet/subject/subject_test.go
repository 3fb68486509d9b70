package subject_test

import (
	"strings"
	"testing"

	"chant/engine/fleet"
	"chant/engine/fleet/subject"
)

// TestParseProject: a name is a single part of a subject.
func TestParseProject(t *testing.T) {
	t.Parallel()
	for name, valid := range map[string]bool{
		"chant": true, "My-App2": true, strings.Repeat("a", 40): true,
		"": false, "a.b": false, "a b": false, "*": false, ">": false, "ü": false, "a_b": false, strings.Repeat("a", 41): false,
	} {
		if _, err := subject.ParseProject(name); (err == nil) != valid {
			t.Errorf("%q: %v, want valid: %t", name, err, valid)
		}
	}
}

// FuzzParseProject: whatever is accepted makes subjects and names of streams that the server accepts.
func FuzzParseProject(f *testing.F) {
	f.Add("chant", "id")
	f.Add("a.b", "*")
	f.Fuzz(func(t *testing.T, name, id string) {
		p, err := subject.ParseProject(name)
		if err != nil || id == "" {
			return
		}
		for _, on := range []string{p.Work("c", id), p.Node(id), p.Lease(id), p.Value(id), p.Taker(id), p.Log(id), p.Logged(id), p.Change(fleet.Taken, id)} {
			if strings.ContainsAny(on, " \t\r\n*>") || strings.Contains(on, "..") || strings.HasSuffix(on, ".") {
				t.Errorf("%q", on)
			}
		}
		if parts := strings.Count(p.Node(id), "."); parts != 3 {
			t.Errorf("%q has %d dots", p.Node(id), parts)
		}
		if strings.ContainsAny(p.WorkStream(), " .*>/\\") {
			t.Errorf("%q", p.WorkStream())
		}
	})
}

// TestClassOf: classes of different needs differ, are never empty, and are short enough for a name.
func TestClassOf(t *testing.T) {
	t.Parallel()
	long := make([]string, 50)
	for i := range long {
		long[i] = strings.Repeat("l", i+1)
	}
	seen := map[string]bool{}
	for _, n := range []fleet.Needs{
		{}, {Provider: "_"}, {Provider: "a"}, {Labels: []string{"a"}}, {Labels: long}, {Labels: long[1:]}, {Provider: "a", Labels: long},
	} {
		class := subject.ClassOf(n)
		if class == "" || len(class) > 120 || seen[class] {
			t.Errorf("%q for %+v", class, n)
		}
		seen[class] = true
	}
}

// TestGrants: nobody but a hub may use the API of JetStream except for reading and pulling, and only for its own
// project.
func TestGrants(t *testing.T) {
	t.Parallel()
	p, err := subject.ParseProject("demo")
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range []subject.Role{subject.Worker, subject.Lander} {
		for _, on := range p.Grants(role, "n.1").Publish {
			allowed := strings.HasPrefix(on, "chant.demo.") || strings.HasPrefix(on, "$JS.API.DIRECT.GET.chant-demo-") ||
				strings.HasPrefix(on, "$JS.API.CONSUMER.MSG.NEXT.chant-demo-work.") || strings.HasPrefix(on, "$JS.ACK.chant-demo-work.")
			if !allowed || on == p.All() {
				t.Errorf("%s may write on %q", role, on)
			}
		}
	}
}
