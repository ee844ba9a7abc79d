package io.github.lockboot.cache.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class EnvelopeTests {

	private static final byte[] PAYLOAD = "12345".getBytes(StandardCharsets.UTF_8);

	private static final byte[] LONG = "abc".repeat(100).getBytes(StandardCharsets.UTF_8);

	private final byte[] entry = Envelope.seal(77, 1_234_567_890_123L, 4_321, PAYLOAD, 0, null);

	@Test
	void aVersionIsPartOfTheMark() {
		assertThat(Envelope.version(Envelope.mark(Envelope.seal(77, 1, 2, PAYLOAD, 0, -7L)))).isEqualTo(-7);
		assertThat(Envelope.version(Envelope.mark(Envelope.seal(77, 1, 2, null, 0, 7L)))).isEqualTo(7);
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
		assertThat(Objects.requireNonNull(Envelope.open(Envelope.seal(77, 0, 0, null, 0, null), 77)).isNull()).isTrue();
		assertThat(Objects.requireNonNull(Envelope.open(Envelope.seal(77, 0, 0, new byte[0], 0, null), 77)).isNull())
			.isFalse();
	}

	@Test
	void aLoadOfAnHourDoesNotOverflow() {
		byte[] slow = Envelope.seal(77, 0, 3_600_000_000L, null, 0, null);
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
	void aLongPayloadIsCompressedAndRestored() throws DataFormatException {
		byte[] compressed = Envelope.seal(77, 1, 2, LONG, 99, null);
		assertThat(compressed).hasSizeLessThan(LONG.length);
		Envelope envelope = Objects.requireNonNull(Envelope.open(compressed, 77));
		assertThat(envelope.bytes()).isEqualTo(compressed);
		assertThat(envelope.plainBytes()).hasSize(Envelope.HEADER + LONG.length).endsWith(LONG);
	}

	@Test
	void aPayloadThatIsShortOrIncompressibleIsNotCompressed() throws DataFormatException {
		assertThat(Envelope.seal(77, 1, 2, LONG, LONG.length, null)).endsWith(LONG);
		byte[] random = new byte[1000];
		new Random(1).nextBytes(random);
		assertThat(Envelope.seal(77, 1, 2, random, 10, null)).endsWith(random);
		assertThat(Envelope.seal(77, 1, 2, PAYLOAD, 1, null)).endsWith(PAYLOAD);
		assertThat(Objects.requireNonNull(Envelope.open(this.entry, 77)).plainBytes()).isSameAs(this.entry);
	}

	/** They check these two bytes, and treat any other start as foreign. */
	@Test
	void versionsWithoutCompressionDoNotOpenACompressedEntry() {
		assertThat(this.entry).startsWith(0xCA, 0xC1);
		assertThat(Envelope.seal(77, 1, 2, LONG, 99, null)).startsWith(0xCA, 0xC2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "00", "00000000", "00000001", "ffffffff00", "7fffffff00", "0000000500" })
	void aForgedCompressedPayloadIsRejected(String payload) {
		byte[] bytes = HexFormat.of().parseHex(payload);
		byte[] forged = Envelope.seal(77, 1, 2, bytes, 0, null);
		ByteBuffer.wrap(forged).putShort((short) 0xCAC2).putInt(Envelope.HEADER - 4, checksum(forged, bytes));
		Envelope envelope = Objects.requireNonNull(Envelope.open(forged, 77));
		assertThatExceptionOfType(DataFormatException.class).isThrownBy(envelope::plainBytes);
	}

	@Test
	void aSmallForgedEntryCannotExhaustTheMemory() {
		byte[] bytes = ByteBuffer.allocate(1 << 20).putInt(1 << 30).array();
		byte[] forged = Envelope.seal(77, 1, 2, bytes, 0, null);
		ByteBuffer.wrap(forged).putShort((short) 0xCAC2).putInt(Envelope.HEADER - 4, checksum(forged, bytes));
		Envelope envelope = Objects.requireNonNull(Envelope.open(forged, 77));
		assertThatExceptionOfType(DataFormatException.class).isThrownBy(envelope::plainBytes)
			.withMessageContaining("can't have");
	}

	@Test
	void whatCompressionMakesTooShortIsStoredUncompressed() throws DataFormatException {
		byte[] zeros = new byte[1 << 20];
		byte[] entry = Envelope.seal(77, 1, 2, zeros, 99, null);
		assertThat(Objects.requireNonNull(Envelope.open(entry, 77)).plainBytes()).endsWith(zeros).isSameAs(entry);
	}

	private static int checksum(byte[] entry, byte[] payload) {
		CRC32C crc = new CRC32C();
		crc.update(new byte[] { (byte) 0xCA, (byte) 0xC2 });
		crc.update(entry, 2, Envelope.HEADER - 6);
		crc.update(payload);
		return (int) crc.getValue();
	}

	@Test
	void twoWritesOfOneValueHaveDifferentMarks() {
		assertThat(Envelope.mark(this.entry))
			.isNotEqualTo(Envelope.mark(Envelope.seal(77, 1_234_567_890_123L, 4_321, PAYLOAD, 0, null)));
	}

}
