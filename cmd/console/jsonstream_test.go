package console

import (
	"bytes"
	"testing"
	"time"

	"chant/providers/text"

	"pgregory.net/rapid"
)

type streamed struct {
	Rows    []streamedRow  `json:"rows"`
	Names   []string       `json:"names,omitempty"`
	None    []string       `json:"none"`
	Total   int            `json:"total"`
	Left    *int           `json:"left,omitempty"`
	Since   time.Time      `json:"since,omitzero"`
	More    map[string]int `json:"more,omitempty"`
	Bytes   []byte         `json:"bytes"`
	Plain   string
	Ignored string `json:"-"`
}

type streamedRow struct {
	ID    string   `json:"id"`
	Tags  []string `json:"tags,omitempty"`
	Empty struct{} `json:"empty"`
}

// TestWriteJSON_asWhole: a value with long lists is written as one without.
func TestWriteJSON_asWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringN(0, 6, -1)
		v := streamed{
			Rows:  make([]streamedRow, rapid.SampledFrom([]int{0, 1, 63, 64, 65, 200}).Draw(t, "rows")),
			Names: rapid.SliceOfN(word, 0, 70).Draw(t, "names"), Total: rapid.Int().Draw(t, "total"), Plain: word.Draw(t, "plain") + "<&>",
			Bytes: make([]byte, rapid.IntRange(0, 100).Draw(t, "bytes")),
		}
		for i := range v.Rows {
			v.Rows[i] = streamedRow{ID: word.Draw(t, "id"), Tags: rapid.SliceOfN(word, 0, 2).Draw(t, "tags")}
		}
		if rapid.Bool().Draw(t, "filled") {
			v.Left, v.Since, v.More = &v.Total, time.Unix(1, 0), map[string]int{"b": 1, "a": 2}
		}
		want, err := text.JSON(v, "  ")
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := WriteJSON(&got, v, "  "); err != nil || got.String() != string(want)+"\n" {
			t.Fatalf("%s\n%v, want\n%s", got.String(), err, want)
		}
	})
}
