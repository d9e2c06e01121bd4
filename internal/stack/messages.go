package stack

// MessagesOf returns how many messages one call of a kind sends and receives, where a call that has many has many.
func MessagesOf(kind string, many int64) (out, in int64) {
	switch kind {
	case KindConnect, KindEncode, KindDecode:
		return 0, 0
	case KindStream, KindBurst, KindBothWays:
		return many, many
	case KindUpload:
		return many, 1
	case KindDownload:
		return 1, many
	default:
		return 1, 1
	}
}
