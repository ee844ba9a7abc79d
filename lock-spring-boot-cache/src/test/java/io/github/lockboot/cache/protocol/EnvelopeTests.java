package io.github.lockboot.cache.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EnvelopeTests {

	private static final byte[] PAYLOAD = "12345".getBytes(StandardCharsets.UTF_8);

	private final byte[] entry = Envelope.seal(77, 1_234_567_890_123L, 4_321, PAYLOAD, null, null);

	@Test
	void anEntryKeepsItsTagsBesideItsValue() {
		Envelope.Tags tags = new Envelope.Tags(List.of(1, 0xFFFF), 1_234_567_890_123_456L);
		Envelope envelope = Objects.requireNonNull(Envelope.open(Envelope.seal(77, 0, 0, PAYLOAD, null, tags), 77));
		assertThat(envelope.tags()).isEqualTo(tags);
		assertThat(envelope.length()).isEqualTo(PAYLOAD.length);
	}

	@Test
	void aVersionIsPartOfTheMark() {
		assertThat(Envelope.version(Envelope.mark(Envelope.seal(77, 1, 2, PAYLOAD, -7L, null)))).isEqualTo(-7);
		assertThat(Envelope.version(Envelope.mark(Envelope.seal(77, 1, 2, null, 7L, null)))).isEqualTo(7);
		assertThat(Envelope.version(Envelope.mark(this.entry))).isNull();
		assertThat(Envelope.version(new byte[0])).isNull();
	}

	@Test
	void aSealedValueIsRestored() {
		Envelope envelope = Objects.requireNonNull(Envelope.open(this.entry, 77));
		assertThat(envelope.isNull()).isFalse();
		assertThat(envelope.staleAtMillis()).isEqualTo(1_234_567_890_123L);
		assertThat(envelope.loadMicros()).isEqualTo(4_321);
		assertThat(envelope.bytes()).endsWith(PAYLOAD).hasSize(Envelope.HEADER + PAYLOAD.length);
	}

	@Test
	void aNullIsDistinguishedFromAnEmptyPayload() {
		assertThat(Objects.requireNonNull(Envelope.open(Envelope.seal(77, 0, 0, null, null, null), 77)).isNull())
			.isTrue();
		assertThat(Objects.requireNonNull(Envelope.open(Envelope.seal(77, 0, 0, new byte[0], null, null), 77)).isNull())
			.isFalse();
	}

	@Test
	void aLoadOfAnHourDoesNotOverflow() {
		byte[] slow = Envelope.seal(77, 0, 3_600_000_000L, null, null, null);
		assertThat(Objects.requireNonNull(Envelope.open(slow, 77)).loadMicros()).isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void anotherTypeIsNotOpened() {
		assertThat(Envelope.open(this.entry, 78)).isNull();
	}

	@Test
	void anyOtherLengthIsNotOpened() {
		for (int length = 0; length < this.entry.length; length++) {
			assertThat(Envelope.open(Arrays.copyOf(this.entry, length), 77)).as("of %s bytes", length).isNull();
		}
		assertThat(Envelope.open(Arrays.copyOf(this.entry, this.entry.length + 1), 77)).isNull();
	}

	@Test
	void anyOtherByteIsNotOpened() {
		for (int at = 0; at < this.entry.length; at++) {
			byte[] damaged = this.entry.clone();
			damaged[at] ^= 1;
			assertThat(Envelope.open(damaged, 77)).as("with byte %s changed", at).isNull();
		}
	}

	@Test
	void twoWritesOfOneValueHaveDifferentMarks() {
		assertThat(Envelope.mark(this.entry))
			.isNotEqualTo(Envelope.mark(Envelope.seal(77, 1_234_567_890_123L, 4_321, PAYLOAD, null, null)));
	}

}
