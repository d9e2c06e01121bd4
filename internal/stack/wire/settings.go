package wire

import "encoding/binary"

// Settings, RFC 9113, section 6.5.2.
const (
	settingTable   = 0x1
	settingPush    = 0x2
	settingStreams = 0x3
	settingWindow  = 0x4
	settingFrame   = 0x5
)

const frameBytesMax = 1<<24 - 1

func appendSetting(to []byte, id uint16, value uint32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint16(to, id), value)
}

// settings takes a SETTINGS frame and makes its acknowledgement ready.
func (l *link) settings(f *frame) error {
	switch {
	case f.stream != 0:
		return broken(codeProtocol, "SETTINGS on stream %d", f.stream)
	case f.has(flagAck) && len(f.payload) != 0:
		return broken(codeFrameSize, "an acknowledgement of SETTINGS with %d bytes", len(f.payload))
	case f.has(flagAck):
		return nil
	case len(f.payload)%6 != 0:
		return broken(codeFrameSize, "SETTINGS of %d bytes", len(f.payload))
	}
	for p := f.payload; len(p) > 0; p = p[6:] {
		if err := l.setting(binary.BigEndian.Uint16(p), binary.BigEndian.Uint32(p[2:])); err != nil {
			return err
		}
	}
	l.out = appendFrameHeader(l.out, 0, frameSettings, flagAck, 0)
	return nil
}

func (l *link) setting(id uint16, value uint32) error {
	switch id {
	case settingTable:
		l.writer.limit(value)
	case settingPush:
		if value != 0 {
			return broken(codeProtocol, "a setting ENABLE_PUSH of %d", value)
		}
	case settingStreams:
		l.streamsMax = value
	case settingWindow:
		return l.windows(value)
	case settingFrame:
		if value < frameBytes || value > frameBytesMax {
			return broken(codeProtocol, "a setting MAX_FRAME_SIZE of %d", value)
		}
		l.frameBytes = int(min(value, outBytes/2))
	}
	return nil
}

// windows changes the windows of all streams, those that are open too, by as much as their first one.
func (l *link) windows(first uint32) error {
	if first > WindowMax {
		return broken(codeFlowControl, "a setting INITIAL_WINDOW_SIZE of %d", first)
	}
	by := int64(first) - l.windowOfStreams
	l.windowOfStreams = int64(first)
	for _, s := range l.streams {
		if s == nil {
			continue
		}
		s.window += by
		if s.window > WindowMax {
			return broken(codeFlowControl, "a setting INITIAL_WINDOW_SIZE of %d that takes the window of stream %d beyond 2^31 - 1",
				first, s.id)
		}
		if by > 0 {
			l.push(s)
		}
	}
	return nil
}

// windowUpdate takes a WINDOW_UPDATE frame.
func (l *link) windowUpdate(f *frame) error {
	if len(f.payload) != 4 {
		return broken(codeFrameSize, "WINDOW_UPDATE of %d bytes", len(f.payload))
	}
	by := int64(binary.BigEndian.Uint32(f.payload) & streamMax)
	if f.stream == 0 {
		l.window += by
		switch {
		case by == 0:
			return broken(codeProtocol, "a WINDOW_UPDATE of 0")
		case l.window > WindowMax:
			return broken(codeFlowControl, "a WINDOW_UPDATE of %d that takes the connection's window beyond 2^31 - 1", by)
		}
		return nil // flush goes on
	}
	s, err := l.find(f)
	if s == nil {
		return err
	}
	s.window += by
	switch {
	case by == 0:
		l.failBroken(s, codeProtocol, "a WINDOW_UPDATE of 0")
	case s.window > WindowMax:
		l.failBroken(s, codeFlowControl, "a WINDOW_UPDATE that takes the window beyond 2^31 - 1")
	default:
		l.push(s)
	}
	return nil
}
