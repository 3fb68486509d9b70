package serve

import (
	"errors"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"chant/engine"
	"chant/engine/view"
	"chant/engine/view/pages"
	"chant/site"
)

// sharedPage answers with a page about all specs.
func (s *server) sharedPage(render func(*site.Renderer) ([]byte, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		all, err := s.renderer(r.Context())
		if err != nil {
			s.fail(w, err)
			return
		}
		content, err := render(all)
		s.page(w, content, err)
	}
}

// page answers with a page, or with the error of rendering it.
func (s *server) page(w http.ResponseWriter, content []byte, err error) {
	if err != nil {
		s.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	// The client may be gone.
	_, _ = w.Write(content)
}

func (s *server) monthPage(w http.ResponseWriter, r *http.Request) {
	month := strings.TrimSuffix(r.PathValue("month"), ".html")
	s.sharedPage(func(all *site.Renderer) ([]byte, error) {
		if !all.HasMonth(month) {
			return nil, errMissing
		}
		return all.Timeline(month)
	})(w, r)
}

func (s *server) label(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimSuffix(r.PathValue("label"), ".html")
	s.sharedPage(func(all *site.Renderer) ([]byte, error) {
		label, ok := all.HasLabel(name)
		if !ok {
			return nil, errMissing
		}
		return all.Label(label)
	})(w, r)
}

// errMissing means that there is no such page.
var errMissing = errors.New("there is no such page")

func (s *server) staticFile(w http.ResponseWriter, r *http.Request) {
	content := s.theme.Static(r.PathValue("name"))
	if content == nil {
		s.fail(w, errMissing)
		return
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(r.PathValue("name"))))
	// The client may be gone.
	_, _ = w.Write(content)
}

// board answers with the first page.
func (s *server) board(w http.ResponseWriter, r *http.Request) {
	rows, err := s.rows(r.Context())
	if err != nil {
		s.fail(w, err)
		return
	}
	status, err := view.Status(r.Context(), s.project, view.StatusInput{})
	if err != nil {
		s.fail(w, err)
		return
	}
	b := site.Board{Summary: summaryOf(status)}
	if fleet := view.FleetNow(s.project); fleet != nil {
		b.Summary += "; " + fleet.Detail()
	}
	for _, plan := range status.Plans {
		b.Plans = append(b.Plans, plan.String())
	}
	var list []site.Row
	for _, row := range rows {
		if row.Error != "" {
			b.Invalid = append(b.Invalid, pages.Broken{ID: row.ID, Error: row.Error})
			continue
		}
		list = append(list, rowOf(row))
	}
	b.Groups = site.GroupRows(list)
	content, err := s.theme.Board(s.options(), b)
	s.page(w, content, err)
}

// summaryOf counts the specs, and what agents have used today.
func summaryOf(r view.StatusResult) string {
	out := strings.ReplaceAll(r.Brief, " | ", ", ")
	if r.Today != nil {
		out += "; today: " + spentText(r.Today)
	}
	if r.Limit != "" {
		out += "; " + r.Limit
	}
	for _, q := range r.HeldQueues {
		out += "; " + q.String()
	}
	return out
}

// rowOf returns the row of a spec in the board.
func rowOf(r view.Row) site.Row {
	out := site.NewRow(r.ID, r.Title, stateOf(r), "")
	out.Labels = site.LabelLinks(r.Labels, "")
	if r.Type != "code" {
		out.Type = r.Type
	}
	var notes []string
	if r.NeedsInput > 0 {
		notes = append(notes, "an agent asks a question")
	}
	if r.Run != "" {
		notes = append(notes, strings.TrimSpace(r.Run+onNode(r)+" "+r.LastLine))
	}
	if r.Queue != nil {
		notes = append(notes, r.Queue.String())
	}
	if r.RetryAt != "" {
		notes = append(notes, "next attempt at "+r.RetryAt)
	}
	if r.Run == "" && r.Node != "" {
		notes = append(notes, "ended"+onNode(r))
	}
	if r.Landed != nil && !*r.Landed {
		notes = append(notes, "not landed yet")
	}
	out.Note = strings.Join(notes, "; ")
	return out
}

// onNode names the machine of the fleet on which a run is or was, "" for this one.
func onNode(r view.Row) string {
	if r.Node == "" {
		return ""
	}
	return " on " + r.Node
}

// fail answers with an error and its next step.
func (s *server) fail(w http.ResponseWriter, err error) {
	status, message, hint := http.StatusInternalServerError, err.Error(), ""
	var e *engine.Error
	switch {
	case errors.Is(err, errMissing):
		status = http.StatusNotFound
	case errors.As(err, &e):
		status, hint = statusOf(e.Code), ""
		if !e.Next.IsZero() {
			hint = e.Next.String()
		}
	}
	content, renderErr := s.theme.Message(s.options(), site.Message{Heading: strconv.Itoa(status) + " " + http.StatusText(status), Text: message, Next: hint, Root: s.gate.folder})
	if renderErr != nil {
		http.Error(w, message, status)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	// The client may be gone.
	_, _ = w.Write(content)
}

// statusOf maps the code of an error to a status of HTTP.
func statusOf(c engine.Code) int {
	switch c {
	case engine.Usage, engine.Invalid:
		return http.StatusBadRequest
	case engine.NotFound:
		return http.StatusNotFound
	case engine.State, engine.Blocked, engine.Conflict, engine.Unverified:
		return http.StatusConflict
	case engine.Agent:
		return http.StatusBadGateway
	case engine.Canceled:
		return http.StatusServiceUnavailable
	case engine.Internal:
		return http.StatusInternalServerError
	}
	return http.StatusInternalServerError
}
