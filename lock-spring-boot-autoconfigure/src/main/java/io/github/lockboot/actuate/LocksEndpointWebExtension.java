package io.github.lockboot.actuate;

import java.security.Principal;
import java.util.Map;
import java.util.function.Supplier;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.lang.Nullable;

/**
 * The {@link LocksEndpoint} over HTTP. The response to a bad request contains the reason,
 * which error pages hide by default.
 *
 * @since 1.0.0
 */
// Spring Boot 3.5 recognizes an optional parameter only by Spring's own annotation
@SuppressWarnings("deprecation")
@EndpointWebExtension(endpoint = LocksEndpoint.class)
public class LocksEndpointWebExtension {

	private final LocksEndpoint endpoint;

	/**
	 * Create the extension.
	 * @param endpoint the endpoint
	 */
	public LocksEndpointWebExtension(LocksEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	@ReadOperation
	public WebEndpointResponse<Object> locks(@Nullable String name, @Nullable String template, @Nullable String scope,
			@Nullable String pattern, @Nullable String after, @Nullable Integer limit) {
		return respond(() -> this.endpoint.locks(name, template, scope, pattern, after, limit));
	}

	@ReadOperation
	public WebEndpointResponse<Object> lock(@Selector(match = Match.ALL_REMAINING) String[] path,
			@Nullable String template) {
		return respond(() -> this.endpoint.lock(path, template));
	}

	@DeleteOperation
	public WebEndpointResponse<Object> forceRelease(SecurityContext security, @Nullable String name,
			@Nullable String template) {
		return respond(() -> this.endpoint.forceRelease(who(security), name, template));
	}

	@DeleteOperation
	public WebEndpointResponse<Object> forceReleasePath(SecurityContext security,
			@Selector(match = Match.ALL_REMAINING) String[] path, @Nullable String template) {
		return respond(() -> this.endpoint.forceRelease(who(security), String.join("/", path), template));
	}

	private static String who(SecurityContext security) {
		Principal principal = security.getPrincipal();
		return (principal != null) ? "'" + principal.getName() + "'" : "a caller by HTTP who was not authenticated";
	}

	private static WebEndpointResponse<Object> respond(Supplier<Object> operation) {
		try {
			return new WebEndpointResponse<>(operation.get());
		}
		catch (InvalidEndpointRequestException ex) {
			return new WebEndpointResponse<>(Map.of("error", ex.getReason()), WebEndpointResponse.STATUS_BAD_REQUEST);
		}
	}

}
