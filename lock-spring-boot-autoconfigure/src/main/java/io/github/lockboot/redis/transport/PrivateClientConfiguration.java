package io.github.lockboot.redis.transport;

import java.time.Duration;
import java.util.Optional;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.resource.ClientResources;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/**
 * An application's client configuration with threads, options and time limit of our own.
 * Reads never go to a replica.
 */
final class PrivateClientConfiguration implements LettuceClientConfiguration {

	private final LettuceClientConfiguration application;

	private final ClientName clientName;

	private final ClientResources resources;

	private final ClientOptions options;

	private final Duration commandTimeout;

	PrivateClientConfiguration(LettuceClientConfiguration application, ClientName clientName, ClientResources resources,
			ClientOptions options, Duration commandTimeout) {
		this.application = application;
		this.clientName = clientName;
		this.resources = resources;
		this.options = options;
		this.commandTimeout = commandTimeout;
	}

	ClientResources resources() {
		return this.resources;
	}

	ClientOptions options() {
		return this.options;
	}

	@Override
	public boolean isUseSsl() {
		return this.application.isUseSsl();
	}

	@Override
	@Deprecated
	@SuppressWarnings("deprecation")
	public boolean isVerifyPeer() {
		return this.application.isVerifyPeer();
	}

	@Override
	public SslVerifyMode getVerifyMode() {
		return this.application.getVerifyMode();
	}

	@Override
	public boolean isStartTls() {
		return this.application.isStartTls();
	}

	@Override
	public Optional<ClientResources> getClientResources() {
		return Optional.of(this.resources);
	}

	@Override
	public Optional<ClientOptions> getClientOptions() {
		return Optional.of(this.options);
	}

	@Override
	public Optional<String> getClientName() {
		return Optional.of(this.clientName.text(this.application.getClientName().orElse(null)));
	}

	@Override
	public Optional<ReadFrom> getReadFrom() {
		return Optional.empty();
	}

	@Override
	public Optional<RedisCredentialsProviderFactory> getRedisCredentialsProviderFactory() {
		return this.application.getRedisCredentialsProviderFactory();
	}

	@Override
	public Duration getCommandTimeout() {
		return this.commandTimeout;
	}

	@Override
	public Duration getShutdownTimeout() {
		return Duration.ofSeconds(1);
	}

	@Override
	public Duration getShutdownQuietPeriod() {
		return Duration.ZERO;
	}

}
