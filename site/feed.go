package site

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"time"
)

// maxEntries is how many entries a feed has.
const maxEntries = 100

// The elements of an Atom feed (RFC 4287).
type (
	atomFeed struct {
		XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		Title   string      `xml:"title"`
		ID      string      `xml:"id"`
		Updated string      `xml:"updated"`
		Links   []atomLink  `xml:"link"`
		Author  atomPerson  `xml:"author"`
		Entries []atomEntry `xml:"entry"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr,omitempty"`
		Href string `xml:"href,attr"`
	}
	atomPerson struct {
		Name string `xml:"name"`
	}
	atomEntry struct {
		Title   string      `xml:"title"`
		ID      string      `xml:"id"`
		Updated string      `xml:"updated"`
		Link    atomLink    `xml:"link"`
		Author  *atomPerson `xml:"author,omitempty"`
		Summary string      `xml:"summary,omitempty"`
	}
)

// Feed renders the Atom feed of completed specs.
func (r *Renderer) Feed() ([]byte, error) {
	f := r.feed("completed specs", "feed.xml")
	for _, s := range r.completed() {
		if s.Completed.IsZero() || len(f.Entries) == maxEntries {
			// Those without a time are last.
			break
		}
		f.add(atomEntry{
			Title: s.Title, ID: uuidOf("completed", s.ID, s.Completed.String()), Updated: s.Completed.Format(time.RFC3339),
			Link: atomLink{Rel: "alternate", Href: r.options.URL + SpecPath(s.ID)}, Summary: cmp.Or(changeText(s.Work), "completed"),
		})
	}
	return f.bytes()
}

// Activity renders the Atom feed of what happened to specs.
func (r *Renderer) Activity() ([]byte, error) {
	f := r.feed("activity", "activity.xml")
	events := r.events()
	for _, e := range events[:min(len(events), maxEntries)] {
		f.add(atomEntry{
			Title: e.what + ": " + e.of.Title, ID: uuidOf("event", e.of.ID, e.commit), Updated: e.at.Format(time.RFC3339),
			Link: atomLink{Rel: "alternate", Href: r.options.URL + SpecPath(e.of.ID)}, Author: &atomPerson{e.actor}, Summary: e.what,
		})
	}
	return f.bytes()
}

func (r *Renderer) feed(of, file string) *atomFeed {
	f := &atomFeed{
		Title: r.options.Title + ": " + of, ID: uuidOf("feed", r.options.Title, file), Updated: time.Unix(0, 0).UTC().Format(time.RFC3339),
		Author: atomPerson{r.options.Title}, Links: []atomLink{{Rel: "alternate", Href: r.options.URL + "index.html"}},
	}
	if r.options.URL != "" {
		f.ID = r.options.URL + file
		f.Links = append(f.Links, atomLink{Rel: "self", Href: f.ID})
	}
	return f
}

func (f *atomFeed) add(e atomEntry) {
	f.Entries = append(f.Entries, e)
	// Not the time of the build, so that the same data gives the same feed.
	f.Updated = f.Entries[0].Updated
}

func (f *atomFeed) bytes() ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(xml.Header)
	e := xml.NewEncoder(&out)
	e.Indent("", "  ")
	if err := e.Encode(f); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// uuidOf returns an id that is the same for the same texts, in the form of RFC 9562, version 8.
func uuidOf(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		// The length keeps "a","bc" from "ab","c".
		fmt.Fprintf(h, "%d:%s", len(t), t)
	}
	id := h.Sum(nil)[:16]
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
