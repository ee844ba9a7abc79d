package io.github.lockboot.cache.protocol;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * An entry as it lies in Redis: 32 bytes of header, then the payload. The header is
 * {@code CA C1}, or {@code CA C2} before a compressed payload, flags, a zero; schema (4);
 * id of the write (8); when the entry becomes stale, Redis time in milliseconds (8); how
 * long its load took in microseconds (4); and a CRC-32C of all else (4), without which
 * half a number would be read as a number.
 *
 * @since 1.0.0
 */
@Internal
public final class Envelope {

	/** How many bytes of an entry tell one write from any other. */
	public static final int HEADER = 32;

	private static final int CHECKSUM = HEADER - Integer.BYTES;

	private static final short MAGIC = (short) 0xCAC1;

	/**
	 * Not a flag: versions that know of no compression must not take it for a payload.
	 */
	private static final short COMPRESSED = (short) 0xCAC2;

	private static final byte NULL = 1;

	/** No compressed byte becomes more than so many. */
	private static final int GREATEST_RATIO = 1032;

	private final byte[] bytes;

	private final ByteBuffer header;

	private Envelope(byte[] bytes) {
		this.bytes = bytes;
		this.header = ByteBuffer.wrap(bytes);
	}

	/**
	 * Seal a value.
	 * @param schema what its type looks like
	 * @param staleAtMillis when it becomes stale, Redis time
	 * @param loadMicros how long its load took
	 * @param payload the value, or {@code null} for a null
	 * @param compressAbove length above which the payload is compressed, if it gets
	 * shorter by that; 0 for never
	 */
	public static byte[] seal(int schema, long staleAtMillis, long loadMicros, byte @Nullable [] payload,
			int compressAbove) {
		byte[] plain = (payload != null) ? payload : new byte[0];
		byte[] compressed = (compressAbove > 0 && plain.length > compressAbove) ? compress(plain) : null;
		byte[] value = (compressed != null) ? compressed : plain;
		ByteBuffer entry = ByteBuffer.allocate(HEADER + value.length)
			.putShort((compressed != null) ? COMPRESSED : MAGIC)
			.put((payload == null) ? NULL : 0)
			.put((byte) 0)
			.putInt(schema)
			.putLong(ThreadLocalRandom.current().nextLong())
			.putLong(staleAtMillis)
			.putInt((int) Math.min(loadMicros, Integer.MAX_VALUE))
			.putInt(0)
			.put(value);
		entry.putInt(CHECKSUM, checksum(entry.array()));
		return entry.array();
	}

	/**
	 * Open an entry.
	 * @return the envelope, or {@code null} if it is damaged, foreign or of another type
	 */
	public static @Nullable Envelope open(byte[] entry, int schema) {
		if (entry.length < HEADER) {
			return null;
		}
		Envelope envelope = new Envelope(entry);
		boolean ours = envelope.header.getShort(0) == MAGIC || envelope.isCompressed();
		return (ours && envelope.schema() == schema && envelope.header.getInt(CHECKSUM) == checksum(entry)) ? envelope
				: null;
	}

	/**
	 * Return what tells a write from any other.
	 * @param entry bytes of any kind, read under the key of an entry
	 */
	public static byte[] mark(byte[] entry) {
		return Arrays.copyOf(entry, Math.min(entry.length, HEADER));
	}

	/** Return the length of the bytes and what they are compressed to, if it is less. */
	private static byte @Nullable [] compress(byte[] plain) {
		Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
		try {
			byte[] compressed = new byte[plain.length];
			ByteBuffer.wrap(compressed).putInt(plain.length);
			deflater.setInput(plain);
			deflater.finish();
			int length = deflater.deflate(compressed, Integer.BYTES, compressed.length - Integer.BYTES);
			return deflater.finished() ? Arrays.copyOf(compressed, Integer.BYTES + length) : null;
		}
		finally {
			deflater.end();
		}
	}

	private static int checksum(byte[] entry) {
		CRC32C crc = new CRC32C();
		crc.update(entry, 0, CHECKSUM);
		crc.update(entry, HEADER, entry.length - HEADER);
		return (int) crc.getValue();
	}

	/** Return what the type of the value looks like. */
	public int schema() {
		return this.header.getInt(4);
	}

	public boolean isNull() {
		return this.header.get(2) == NULL;
	}

	private boolean isCompressed() {
		return this.header.getShort(0) == COMPRESSED;
	}

	/**
	 * Return the entry with the payload as it was before it was compressed.
	 * @return the bytes, not a copy if it was not
	 * @throws DataFormatException if it was not compressed by this class
	 */
	public byte[] plainBytes() throws DataFormatException {
		if (!isCompressed()) {
			return this.bytes;
		}
		int start = HEADER + Integer.BYTES;
		int length = (this.bytes.length > start) ? this.header.getInt(HEADER) : -1;
		if (length < 0 || length / GREATEST_RATIO > this.bytes.length) {
			throw new DataFormatException("The payload can't have " + length + " bytes");
		}
		Inflater inflater = new Inflater(true);
		try {
			byte[] plain = new byte[HEADER + length];
			inflater.setInput(this.bytes, start, this.bytes.length - start);
			if (inflater.inflate(plain, HEADER, length) != length) {
				throw new DataFormatException("The payload has less than " + length + " bytes");
			}
			return plain;
		}
		finally {
			inflater.end();
		}
	}

	/** Return when the entry becomes stale, Redis time. */
	public long staleAtMillis() {
		return this.header.getLong(16);
	}

	/** Return how long the load took. */
	public long loadMicros() {
		return this.header.getInt(24);
	}

	/** Return the whole entry, not a copy. */
	public byte[] bytes() {
		return this.bytes;
	}

}
