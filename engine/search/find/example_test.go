package find_test

import (
	"fmt"

	"chant/engine/search/find"
)

func Example() {
	fields := find.Fields{{Name: "title", Weight: 4}, {Name: "path", Weight: 3}, {Name: "body", Weight: 1}}
	body := "After five failed attempts\nthe account is locked, see lockAccount."

	b := find.NewBuilder(fields)
	b.Add("001", "Limit failed logins", "specs/001.md", body)
	b.Add("002", "Rename the config file", "specs/002.md", "The configuration moves.")
	data, err := b.Bytes()
	if err != nil {
		fmt.Println(err)
		return
	}
	segment, err := find.Open(data)
	if err != nil {
		fmt.Println(err)
		return
	}

	q := find.ParseQuery("locking acounts")
	hits, err := find.Search([]*find.Segment{segment}, fields, q, find.Options{Top: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, h := range hits {
		fmt.Println(h.Key)
	}
	for _, e := range find.Excerpts(body, q, 1) {
		fmt.Println(e.Line, e.Text, e.Text[e.Marks[0].From:e.Marks[0].To])
	}
	// Output:
	// 001
	// 2 the account is locked, see lockAccount. locked
}
